package io.github.amb.api;

import java.nio.file.Path;

/** A program that trains and prints nothing itself. */
final class QuietTraining {
  private QuietTraining() {}

  /**
   * Trains everywhere in a program.
   *
   * @param arguments a new directory
   */
  public static void main(String[] arguments) {
    RingTraining.training().run();
    RingTraining.training().runDirectory(Path.of(arguments[0])).run();
    Training.builder()
        .option("resume", arguments[0])
        .option("last-step", 25)
        .option("inject", "kill:rank=1,step=22")
        .run();
  }
}
