package io.github.amb.runtime.mpj.express;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What niodev's selector gets in place of {@link System}, for its {@code out}. It prints a line
 * when what arrives is no head of a message, and takes the next four bytes for one, and so on: all
 * that follows is lost. Here it ends instead, and so do all its connections.
 */
public final class DeviceSystem {
  /** Where the selector says what cannot be. */
  public static final PrintStream out = new Complaints();

  private static volatile String complaint;

  private DeviceSystem() {}

  /** Why the selector has ended, or null. */
  static String complaint() {
    return complaint;
  }

  /** What ends the selector when it reads something other than {@code expected}. */
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
