package io.github.amb.runtime.console;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Shows nothing but the run's directory.
 *
 * @param out receives it
 */
record SilentView(PrintStream out) implements RunView {
  @Override
  public void summary(Path run) {
    out.println(run);
  }
}
