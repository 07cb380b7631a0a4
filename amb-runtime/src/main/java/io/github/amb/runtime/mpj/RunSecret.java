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
 * The secret that all ranks of a run share. It is passed in the environment, never on a command
 * line, which other users can read.
 *
 * @param text the secret
 */
public record RunSecret(String text) {
  /** Environment variable of the secret. */
  public static final String VARIABLE = "AMB_RUN_SECRET";

  /** System property: a value computed from the secret, by which a rank checks its secret. */
  public static final String CHECK_PROPERTY = "amb.run.secret.check";

  /** Length of {@link #nonce}. */
  public static final int NONCE_BYTES = 32;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALGORITHM = "HmacSHA256";

  /** A new random secret. */
  public static RunSecret draw() {
    return new RunSecret(HexFormat.of().formatHex(nonce()));
  }

  /** 32 random bytes for one proof. */
  public static byte[] nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** The secret of the run that this process is a rank of. */
  public static RunSecret own() {
    return new RunSecret(Objects.toString(System.getenv(VARIABLE), "none"));
  }

  /**
   * The problem with the connections of a rank that another program's launcher started; null if
   * there is none.
   */
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
   * Checks that this process received the secret that its launcher drew; other ranks would reject
   * it otherwise.
   *
   * @param rank rank of this process
   * @throws EngineException if the secret differs
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

  /** The value by which a rank checks its secret. */
  public String proofOfRank(int rank) {
    return proof("rank " + rank);
  }

  /**
   * The proof by which a worker shows the master that it was started for the same run.
   *
   * @param rank the worker's rank
   * @param text the options and data that it was started with
   */
  public String proofOfStart(int rank, String text) {
    return proof(rank + "\n" + text);
  }

  /**
   * A proof for some text, which only a holder of the secret can compute.
   *
   * @param purpose distinguishes this use of the secret from all others
   * @param words the text
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

  /** HMAC-SHA256 of a text, in hexadecimal digits. */
  private String proof(String said) {
    return HexFormat.of().formatHex(sign(said.getBytes(StandardCharsets.UTF_8)));
  }

  /** HMAC-SHA256 of {@code said} with the secret as key, 32 bytes. */
  public byte[] sign(byte[] said) {
    return hmac(text.getBytes(StandardCharsets.UTF_8)).doFinal(said);
  }

  /** HMAC-SHA256 with a key. */
  public static Mac hmac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** A text without the secret. */
  @Override
  public String toString() {
    return "RunSecret";
  }
}
