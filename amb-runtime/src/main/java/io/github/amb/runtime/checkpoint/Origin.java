package io.github.amb.runtime.checkpoint;

import io.github.amb.models.network.Networks;
import java.nio.file.Path;
import java.util.Map;

/**
 * What tells a run's checkpoints from those of others.
 *
 * @param parameters length of the run's flat parameter vector; {@link #UNKNOWN} for any
 * @param run what the run was started with, by name; empty for any run
 */
public record Origin(long parameters, Map<String, String> run) {
  /** A length that is not known. */
  public static final long UNKNOWN = -1;

  /** Of any run. */
  public static final Origin ANY = new Origin(UNKNOWN, Map.of());

  public Origin {
    run = Map.copyOf(run);
  }

  /**
   * Checks that a checkpoint is the run's. One that was written by an older program may not say
   * what its run was started with; an option that only one of the two knows does not count.
   *
   * @throws DamagedException if not; the message says where, what was expected and what was found
   */
  void check(Path checkpoint, Manifest manifest) throws DamagedException {
    checkLength(checkpoint, manifest.layout().size());
    Map<String, String> found = manifest.run() == null ? Map.of() : manifest.run();
    for (String name : found.keySet().stream().sorted().toList()) {
      String expected = run.get(name);
      if (expected != null && !isSame(expected, found.get(name))) {
        throw new DamagedException(
            "%s: %s: expected %s, as in the run, found %s"
                .formatted(checkpoint, name, expected, found.get(name)));
      }
    }
  }

  /**
   * Some versions recorded a network without its arguments; the number of parameters is checked.
   */
  private static boolean isSame(String expected, String found) {
    return expected.equals(found) || Networks.isSized(found) && expected.startsWith(found + ":");
  }

  /**
   * Checks that parameters are as many as the run's.
   *
   * @param file where they are
   * @throws DamagedException if not
   */
  public void checkLength(Path file, long found) throws DamagedException {
    if (parameters != UNKNOWN && found != parameters) {
      throw new DamagedException(
          "%s: expected %d parameters, as the run's network has, found %d"
              .formatted(file, parameters, found));
    }
  }
}
