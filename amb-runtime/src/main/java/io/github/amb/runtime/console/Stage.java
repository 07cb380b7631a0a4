package io.github.amb.runtime.console;

/** Texts of the stages before training. */
final class Stage {
  private Stage() {}

  static String text(String what, int done, int of) {
    return of == 0 ? what : what + ": " + done + " of " + of;
  }
}
