package io.github.amb.runtime.mpj;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What only the ranks of one run know. It is handed over in the environment, never on a command
 * line, which all can read.
 *
 * @param text the secret
 */
public record RunSecret(String text) {
  /** Environment variable with it. */
  public static final String VARIABLE = "AMB_RUN_SECRET";

  private static final int BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";

  /** A new one. */
  public static RunSecret draw() {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return new RunSecret(HexFormat.of().formatHex(secret));
  }

  /** The secret of the run that this process is a rank of. */
  public static RunSecret own() {
    return new RunSecret(Objects.toString(System.getenv(VARIABLE), "none"));
  }

  /** HMAC-SHA256 of {@code said}, in hexadecimal digits, by which who said it proves to know. */
  public String proof(String said) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(said.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Hides the secret. */
  @Override
  public String toString() {
    return "RunSecret";
  }
}
