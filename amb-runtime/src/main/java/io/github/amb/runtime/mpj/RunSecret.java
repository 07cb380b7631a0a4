package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
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

  /**
   * System property: what the secret gives for a rank, by which the rank sees whether it has it.
   */
  public static final String CHECK_PROPERTY = "amb.run.secret.check";

  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALGORITHM = "HmacSHA256";

  /** A new one. */
  public static RunSecret draw() {
    return new RunSecret(HexFormat.of().formatHex(nonce()));
  }

  /** 32 random bytes, which no proof was made of before. */
  public static byte[] nonce() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** The secret of the run that this process is a rank of. */
  public static RunSecret own() {
    return new RunSecret(Objects.toString(System.getenv(VARIABLE), "none"));
  }

  /** What is wrong with the connections of a rank that another launcher started; else null. */
  public static String lackOf(String device) {
    if (device.equals("hybdev")) {
      return "device hybdev does not authenticate connections: use niodev where others can reach the ports of ranks";
    }
    return device.equals("niodev") && System.getenv(VARIABLE) == null
        ? "these ranks have no secret, so any program that reaches their ports can join; start all MPJ Express daemons with the same "
            + VARIABLE
            + " in their environment"
        : null;
  }

  /**
   * Refuses a process that was not handed the secret which its launcher drew: the others would take
   * it for a stranger.
   *
   * @param rank of this process
   * @throws EngineException if so
   */
  public static void check(int rank) {
    String expected = System.getProperty(CHECK_PROPERTY);
    if (expected != null && !isSame(expected, own().proofOfRank(rank))) {
      throw new EngineException(
          "expected the secret of this run in the environment variable %s of process %d, found %s; check that the remote shell and the profile of this host do not change it"
              .formatted(
                  VARIABLE,
                  ProcessHandle.current().pid(),
                  System.getenv(VARIABLE) == null ? "none" : "another"));
    }
  }

  /** By which a rank sees that it has the secret. */
  public String proofOfRank(int rank) {
    return proof("rank " + rank);
  }

  /**
   * By which a worker tells the master that it was started for the same run.
   *
   * @param text what it was started with
   */
  public String proofOfStart(int rank, String text) {
    return proof(rank + "\n" + text);
  }

  /**
   * What only who knows the secret can compute of some words, for one purpose.
   *
   * @param purpose none that another use of the secret has
   * @return 32 bytes
   */
  public byte[] authenticate(String purpose, String words) {
    return sign((purpose + "\0" + words).getBytes(StandardCharsets.UTF_8));
  }

  /** Compares two proofs in a time that does not depend on where they differ. */
  public static boolean isSame(String expected, String found) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), found.getBytes(StandardCharsets.UTF_8));
  }

  /** HMAC-SHA256 in hexadecimal digits. */
  private String proof(String said) {
    return HexFormat.of().formatHex(sign(said.getBytes(StandardCharsets.UTF_8)));
  }

  /** HMAC-SHA256, 32 bytes, of what only who knows the secret can have said. */
  public byte[] sign(byte[] said) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return mac.doFinal(said);
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
