package io.github.amb.openmpi;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import org.bytedeco.javacpp.BytePointer;

/** Turns MPI's error codes into exceptions. */
final class MpiCalls {
  private MpiCalls() {}

  /**
   * Checks a call that concerns no other rank, or all of them.
   *
   * @param code MPI's error code
   * @param what what the call was to do, for the message
   * @throws EngineException if {@code code} is not success
   */
  static void check(int code, String what) {
    if (code != 0) {
      throw new EngineException("MPI cannot " + what + ": " + text(code));
    }
  }

  /**
   * Checks a call that sends to or receives from another rank.
   *
   * @param code MPI's error code
   * @param what what the call was to do, for the message
   * @param rank the other rank; negative for any
   * @throws LostException if {@code code} is not success; another EngineException for any rank
   */
  static void check(int code, String what, int rank) {
    if (rank < 0) {
      check(code, what);
    } else if (code != 0) {
      throw new LostException("MPI cannot %s rank %d: %s".formatted(what, rank, text(code)));
    }
  }

  private static String text(int code) {
    try (BytePointer text = new BytePointer(Mpi.ERROR_CHARACTERS)) {
      text.put(0, (byte) 0);
      Mpi.error(code, text);
      String said = string(text);
      return said.isEmpty() ? "error " + code : said;
    }
  }

  /** Name and version of the MPI in use. */
  static String version() {
    try (BytePointer text = new BytePointer(Mpi.VERSION_CHARACTERS)) {
      text.put(0, (byte) 0);
      Mpi.version(text);
      return string(text).lines().findFirst().orElse("").strip();
    }
  }

  /** The text before C's end of a string. */
  private static String string(BytePointer text) {
    String all = text.getString();
    int end = all.indexOf(0);
    return end < 0 ? all : all.substring(0, end);
  }
}
