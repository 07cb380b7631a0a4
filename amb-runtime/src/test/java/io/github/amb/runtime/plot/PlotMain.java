package io.github.amb.runtime.plot;

import java.util.List;

/** Runs {@code amb plot} alone in a Java of its own. */
final class PlotMain {
  private PlotMain() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(new PlotCommand().run(List.of(arguments)));
  }
}
