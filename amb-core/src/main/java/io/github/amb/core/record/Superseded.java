package io.github.amb.core.record;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Where a run keeps what it takes out of its checkpoints and records: {@code superseded/<n>/}, with
 * the names that it had and a copy of {@code run.json}, so that it can be read like a run. Made
 * when something is put there; nothing in an earlier one changes.
 */
public final class Superseded {
  private final RunDirectory run;
  private final Disk disk;
  private RunDirectory place;

  /**
   * @param disk asked before each change
   */
  public Superseded(RunDirectory run, Disk disk) {
    this.run = run;
    this.disk = disk;
  }

  /** Where it is; empty if nothing was put there. */
  public Optional<Path> place() {
    return Optional.ofNullable(place).map(RunDirectory::path);
  }

  /**
   * Moves a file or directory of the run, in one step.
   *
   * @throws IOException if it cannot be moved; then it is where it was
   */
  public void take(Path file) throws IOException {
    Path target = target(file);
    disk.check();
    Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Where a file of the run is to be put; the directory is there. */
  Path target(Path file) throws IOException {
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
        if (Files.exists(run.info())) {
          Files.copy(run.info(), copy.info());
        }
        return copy;
      } catch (FileAlreadyExistsException e) {
        // The next number.
      }
    }
  }
}
