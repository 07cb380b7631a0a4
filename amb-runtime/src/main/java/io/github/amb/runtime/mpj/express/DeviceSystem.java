package io.github.amb.runtime.mpj.express;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Replaces {@link System} in niodev's selector, which uses {@code out}. niodev prints a line if
 * what arrives is not the header of a message, and then misreads all that follows. With this class
 * the selector ends instead, together with all its connections.
 */
public final class DeviceSystem {
  /** The stream whose use ends the selector. */
  public static final PrintStream out = new Complaints();

  private static volatile String complaint;

  private DeviceSystem() {}

  /** Why the selector has ended, or null. */
  static String complaint() {
    return complaint;
  }

  /** The exception that ends the selector when it reads something other than {@code expected}. */
  static IllegalStateException broken(String expected) {
    complaint = "expected " + expected;
    return new IllegalStateException(complaint);
  }

  private static final class Complaints extends PrintStream {
    Complaints() {
      super(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String line) {
      throw broken("the header of a message, found other bytes");
    }
  }
}
