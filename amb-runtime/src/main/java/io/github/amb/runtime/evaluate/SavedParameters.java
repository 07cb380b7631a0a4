package io.github.amb.runtime.evaluate;

import io.github.amb.core.file.Folder;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parameters that a run has saved: a checkpoint, the best parameters, or, in runs of the first
 * versions, a file of final parameters.
 *
 * @param step updates applied to them
 * @param path a checkpoint's directory, or {@code parameters-<step>.npy}
 */
record SavedParameters(long step, Path path) {
  private static final Pattern NAME =
      Pattern.compile("(?:step|best)-(\\d{1,18})|parameters-(\\d{1,18})\\.npy");

  /**
   * All saved parameters of a run by step, one for each step.
   *
   * @throws IOException if the directory cannot be listed
   */
  static List<SavedParameters> of(RunDirectory run) throws IOException {
    if (!Files.isDirectory(run.checkpoints())) {
      return List.of();
    }
    SortedMap<Long, SavedParameters> all = new TreeMap<>();
    for (Path entry : Folder.entries(run.checkpoints())) {
      Matcher name = NAME.matcher(entry.getFileName().toString());
      if (name.matches()) {
        // The best parameters may be gone by now, as newer ones replace them.
        all.put(step(name), new SavedParameters(step(name), entry));
      }
    }
    return List.copyOf(all.values());
  }

  /**
   * The saved parameters at a path.
   *
   * @throws UsageException if its name is not that of saved parameters
   */
  static SavedParameters at(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    if (!name.matches() || !Files.exists(path)) {
      throw new UsageException(
          path
              + ": expected a run directory or a checkpoint (RUN/checkpoints/step-…), found "
              + (Files.exists(path) ? "neither" : "nothing of that name"));
    }
    return new SavedParameters(step(name), path);
  }

  private static long step(Matcher name) {
    return Long.parseLong(name.group(1) == null ? name.group(2) : name.group(1));
  }

  /**
   * Parameters that have been read.
   *
   * @param values the flat parameter vector
   * @param seconds from the start of training to the end of their step; NaN if only the log has it
   */
  record Content(float[] values, double seconds) {}

  /**
   * Reads the parameters and checks their checksums.
   *
   * @param origin what they must come from
   * @throws IOException if they are damaged, missing, or of another run
   */
  Content read(Origin origin) throws IOException {
    if (Files.isDirectory(path)) {
      Checkpoint checkpoint = Checkpoint.open(path, origin);
      return new Content(checkpoint.parameters(), checkpoint.seconds());
    }
    Object found = Checkpoint.array(path);
    if (found instanceof float[] parameters) {
      origin.checkLength(path, parameters.length);
      return new Content(parameters, Double.NaN);
    }
    throw new IOException(
        "%s: expected floats, found %ss".formatted(path, found.getClass().getComponentType()));
  }
}
