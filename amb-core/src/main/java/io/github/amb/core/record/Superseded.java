package io.github.amb.core.record;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Disk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps checkpoints and records that are removed from a run, in {@code superseded/<n>/}. They keep
 * their names, and {@code run.json} as it was before is added, so the directory can be read like a
 * run. It is created with the first file. Earlier directories are not changed.
 */
public final class Superseded {
  private final RunDirectory run;
  private final Disk disk;
  private final byte[] info; // null if the run has none
  private RunDirectory place;

  /**
   * @param run the run directory
   * @param disk checked before each change
   * @throws IOException if {@code run.json} cannot be read
   */
  public Superseded(RunDirectory run, Disk disk) throws IOException {
    this.run = run;
    this.disk = disk;
    info =
        Files.exists(run.info())
            ? BoundedFile.read(run.info(), "the description of a run", DataLimits.RUN_JSON_BYTES)
            : null;
  }

  /** The directory; empty if no file has been put there. */
  public Optional<Path> place() {
    return Optional.ofNullable(place).map(RunDirectory::path);
  }

  /**
   * Moves a file or directory of the run here, atomically.
   *
   * @throws IOException if it cannot be moved; then it is unchanged
   */
  public void take(Path file) throws IOException {
    Path target = target(file);
    disk.check();
    AtomicFile.ATOMIC.give(file, target);
  }

  /** The path for a file of the run; its directory exists. */
  public Path target(Path file) throws IOException {
    if (place == null) {
      place = make();
    }
    Path target = place.path().resolve(run.path().relativize(file));
    disk.check();
    Files.createDirectories(target.getParent());
    return target;
  }

  private RunDirectory make() throws IOException {
    disk.check();
    Files.createDirectories(run.superseded());
    for (int number = 1; ; number++) {
      try {
        Path made = Files.createDirectory(run.superseded().resolve(Integer.toString(number)));
        RunDirectory copy = new RunDirectory(made);
        if (info != null) {
          Files.write(copy.info(), info);
        }
        return copy;
      } catch (FileAlreadyExistsException e) {
        // Try the next number.
      }
    }
  }
}
