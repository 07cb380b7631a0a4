package io.github.amb.runtime.console;

/** What is done before training begins, as text. */
final class Stage {
  private Stage() {}

  static String text(String what, int done, int of) {
    return of == 0 ? what : what + ": " + done + " of " + of;
  }
}
