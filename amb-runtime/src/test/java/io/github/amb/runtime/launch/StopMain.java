package io.github.amb.runtime.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process that takes its time to save, for tests that tell it to end. */
public final class StopMain {
  /** How long it waits for the step, much shorter than what saving takes here. */
  private static final Duration STEP = Duration.ofSeconds(2);

  private StopMain() {}

  /** Arguments: a file to write when told to end, milliseconds to do so, whether to say so. */
  public static void main(String[] args) throws Exception {
    try (StopRequest stop = new StopRequest(STEP)) {
      System.out.println("ready");
      while (!stop.isRequested()) {
        Thread.sleep(10);
      }
      if (Boolean.parseBoolean(args[2])) {
        stop.saving(true);
      }
      Thread.sleep(Long.parseLong(args[1]));
      Files.writeString(Path.of(args[0]), "saved");
    }
  }
}
