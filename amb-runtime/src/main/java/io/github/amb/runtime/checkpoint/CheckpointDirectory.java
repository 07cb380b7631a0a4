package io.github.amb.runtime.checkpoint;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Reading;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.Superseded;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * The checkpoints of a run: {@code step-<n>}, of which the last few are kept, and {@code best-<n>},
 * the best tested parameters. A checkpoint gets its name when all of it is on the disk and was read
 * back. After {@link #supersede}, all belong to one trajectory. Only intact checkpoints of the run
 * are ever removed.
 */
public final class CheckpointDirectory {
  /** Maximum number of additional checkpoints that wait for the evaluator. */
  static final int MAX_WANTED = 20;

  private static final String STEP = "step-";
  private static final String BEST = "best-";
  private static final String UNFINISHED = ".unfinished-";
  private static final String REMOVED = ".removed-";

  private final Path path;
  private final Origin origin;
  private final Disk disk;

  /** Steps whose checkpoints are known to be intact. */
  private final Set<Long> whole = new HashSet<>();

  /**
   * The checkpoints of one run.
   *
   * @param path {@code checkpoints/} of a run directory; need not exist
   * @param origin what its checkpoints must come from; recorded in new ones
   * @param disk asked before each change
   */
  public CheckpointDirectory(Path path, Origin origin, Disk disk) {
    this.path = path.toAbsolutePath();
    this.origin = origin;
    this.disk = disk;
  }

  /**
   * The checkpoints of one run, for reading.
   *
   * @param path {@code checkpoints/} of a run directory
   * @param origin what its checkpoints must come from
   */
  public CheckpointDirectory(Path path, Origin origin) {
    this(path, origin, Disk.REAL);
  }

  /**
   * Steps of the checkpoints from which training can resume, ascending.
   *
   * @throws IOException if the directory cannot be read; the message has its name
   */
  public List<Long> steps() throws IOException {
    return numbers(STEP);
  }

  /**
   * Opens the checkpoint of a step.
   *
   * @throws DamagedException if there is none, it is damaged, or it is of another run
   * @throws IOException if it cannot be read
   */
  public Checkpoint open(long step) throws IOException {
    return withState(Checkpoint.open(named(STEP, step), origin));
  }

  private static Checkpoint withState(Checkpoint checkpoint) throws DamagedException {
    Set<String> files = checkpoint.manifest().files().keySet();
    if (!files.contains(Checkpoint.MASTER)) {
      throw new DamagedException(
          "%s: expected %s among its files, found %s"
              .formatted(checkpoint.path(), Checkpoint.MASTER, files));
    }
    return checkpoint;
  }

  /**
   * The newest intact checkpoint; empty if there is none.
   *
   * @param warnings receives a line for every damaged checkpoint that is skipped
   * @throws IOException if one cannot be read
   */
  public Optional<Checkpoint> latest(Consumer<String> warnings) throws IOException {
    return latest(checkpoint -> checkpoint, warnings);
  }

  /**
   * The newest intact checkpoint; empty if none is left. After success it must have the final
   * parameters.
   *
   * @param ending how the run ended; null if it did not
   * @param warnings receives a line for each newer one that is damaged
   * @throws IOException if a checkpoint cannot be read, or the final parameters are missing
   */
  public Optional<Checkpoint> last(RunInfo.Ending ending, Consumer<String> warnings)
      throws IOException {
    Optional<Checkpoint> newest = latest(warnings);
    boolean done = ending != null && ending.exitCode() == 0 && !steps().isEmpty();
    String found = newest.map(Checkpoint::parametersSha256).orElse(null);
    if (done && !Objects.equals(found, ending.parametersSha256())) {
      throw new IOException(
          "expected the parameters that run.json names, of step %d with SHA-256 %s, found %s"
              .formatted(
                  ending.steps(),
                  ending.parametersSha256(),
                  newest.map(CheckpointDirectory::other).orElse("none that are intact")));
    }
    return newest;
  }

  private static String other(Checkpoint found) {
    return "those of step %1$d with %2$s; amb export --checkpoint %1$d exports these"
        .formatted(found.step(), found.parametersSha256());
  }

  /**
   * Reads something from a checkpoint.
   *
   * @param <T> type of the result
   */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Reads a checkpoint.
     *
     * @throws DamagedException if the checkpoint is not usable for this purpose
     */
    T read(Checkpoint checkpoint) throws IOException;
  }

  /**
   * Reads the newest intact and usable checkpoint; empty if there is none.
   *
   * @param <T> type of the result
   * @param reader reads a checkpoint
   * @param warnings receives a line for every damaged or unusable checkpoint that is skipped
   * @throws IOException if one cannot be read
   */
  public <T> Optional<T> latest(Reader<T> reader, Consumer<String> warnings) throws IOException {
    List<Long> steps = steps();
    for (int i = steps.size() - 1; i >= 0; i--) {
      try {
        return Optional.of(reader.read(open(steps.get(i))));
      } catch (DamagedException e) {
        warnings.accept("skipped a checkpoint: " + e.getMessage());
      }
    }
    return Optional.empty();
  }

  /**
   * The parameters with the highest accuracy on test examples; empty if none were tested.
   *
   * @throws DamagedException if they are damaged or of another run
   * @throws IOException if they cannot be read
   */
  public Optional<Checkpoint> best() throws IOException {
    List<Long> steps = numbers(BEST);
    return steps.isEmpty()
        ? Optional.empty()
        : Optional.of(Checkpoint.open(named(BEST, steps.get(steps.size() - 1)), origin));
  }

  /** The folder of the checkpoint of a step, which need not exist. */
  public Path ofStep(long step) {
    return named(STEP, step);
  }

  private Path named(String prefix, long step) {
    return path.resolve(format("%s%09d", prefix, step));
  }

  private List<Long> numbers(String prefix) throws IOException {
    return names().stream()
        .filter(name -> name.matches(prefix + "\\d{9,18}"))
        .map(name -> Long.valueOf(name.substring(prefix.length())))
        .sorted()
        .toList();
  }

  private List<String> names() throws IOException {
    try {
      return Folder.names(path);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
      throw new IOException("cannot read " + path + ": " + reason, e);
    }
  }

  /**
   * Moves aside what does not belong to a run that continues after a step: checkpoints of later
   * steps, and best parameters that are damaged or of a later step.
   *
   * @param step the last step that stays; −1 for none
   * @param aside where to move it
   * @throws IOException if a checkpoint cannot be moved; a second call continues with the rest
   */
  public void supersede(long step, Superseded aside) throws IOException {
    for (long each : steps()) {
      if (each > step) {
        aside.take(named(STEP, each));
      }
    }
    for (long each : numbers(BEST)) {
      if (each > step || !isWhole(named(BEST, each))) {
        aside.take(named(BEST, each));
      }
    }
  }

  /**
   * Writes a checkpoint and reads it back. An existing checkpoint of the step stays if it has the
   * same parameters; otherwise it is moved aside.
   *
   * @throws IOException if it cannot be written; earlier checkpoints are intact
   */
  void write(Snapshot snapshot) throws IOException {
    whole.remove(snapshot.step);
    publish(snapshot, named(STEP, snapshot.step), true);
    disk.written(named(STEP, snapshot.step), snapshot.step);
    whole.add(snapshot.step);
  }

  /**
   * Removes old checkpoints that are intact and of this run.
   *
   * @param newest step of the checkpoint written last, which stays, like all later ones
   * @param keep how many intact ones to keep, at least 1
   * @param wanted whether the evaluator has yet to read one; {@link #MAX_WANTED} of these stay, too
   * @return steps of the removed ones
   */
  List<Long> prune(long newest, int keep, LongPredicate wanted) throws IOException {
    List<Long> steps = steps().stream().filter(step -> step <= newest).toList();
    List<Long> removed = new ArrayList<>();
    if (steps.size() <= keep) {
      return removed;
    }
    int kept = 0;
    int waiting = 0;
    for (int i = steps.size() - 1; i >= 0; i--) {
      long step = steps.get(i);
      if (!isKnownWhole(step) || ++kept <= keep) {
        continue;
      }
      if (waiting < MAX_WANTED && wanted.test(step)) {
        waiting++;
        continue;
      }
      whole.remove(step);
      remove(named(STEP, step));
      removed.add(step);
    }
    return removed;
  }

  /** Whether a checkpoint is intact; reads each at most once. */
  private boolean isKnownWhole(long step) {
    if (!whole.contains(step) && isWhole(named(STEP, step))) {
      whole.add(step);
    }
    return whole.contains(step);
  }

  /** Writes the best parameters; the former ones stay. */
  void writeBest(Snapshot snapshot) throws IOException {
    publish(snapshot, named(BEST, snapshot.step), false);
  }

  /** Removes the best parameters but the last of those that a run keeps which resumes now. */
  void pruneBest() throws IOException {
    List<Long> steps = steps();
    long last = steps.isEmpty() ? 0 : steps.get(steps.size() - 1);
    List<Long> kept = numbers(BEST).stream().filter(step -> step <= last).toList();
    for (long step : kept) {
      if (step < kept.get(kept.size() - 1) && isWhole(named(BEST, step))) {
        remove(named(BEST, step));
      }
    }
  }

  private boolean isWhole(Path checkpoint) {
    return Reading.orElse(null, () -> Checkpoint.open(checkpoint, origin)) != null;
  }

  private void publish(Snapshot snapshot, Path target, boolean state) throws IOException {
    if (Files.isSymbolicLink(path)) {
      throw new IOException(path + ": expected a directory, found a symbolic link");
    }
    if (holds(target, snapshot, state)) {
      return;
    }
    disk.check();
    Files.createDirectories(path);
    Path unfinished = path.resolve(UNFINISHED + target.getFileName());
    disk.delete(unfinished);
    disk.check();
    Files.createDirectory(unfinished);
    try {
      snapshot.write(unfinished, disk, origin.run(), state);
      Checkpoint.open(unfinished, origin);
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        new Superseded(new RunDirectory(path.getParent()), disk).take(target);
      }
      disk.check();
      AtomicFile.DURABLE.give(unfinished, target);
    } catch (IOException e) {
      disk.delete(unfinished);
      throw e;
    }
  }

  /** Whether a checkpoint is intact and has these parameters. */
  private boolean holds(Path checkpoint, Snapshot snapshot, boolean state) {
    if (!Files.exists(checkpoint)) {
      return false;
    }
    try {
      Checkpoint found = Checkpoint.open(checkpoint, origin);
      return Arrays.equals((state ? withState(found) : found).parameters(), snapshot.parameters());
    } catch (IOException e) {
      return false;
    }
  }

  /** Removes unfinished checkpoints, which a crash or errors of the disk have left. */
  void clean() throws IOException {
    for (String name : names()) {
      if (name.startsWith(UNFINISHED) || name.startsWith(REMOVED)) {
        disk.delete(path.resolve(name));
      }
    }
  }

  /** Removes a checkpoint; it loses its name first, so that no reader finds a part of it. */
  private void remove(Path checkpoint) throws IOException {
    Path removed = path.resolve(REMOVED + checkpoint.getFileName());
    disk.delete(removed);
    disk.check();
    AtomicFile.ATOMIC.give(checkpoint, removed);
    disk.delete(removed);
  }
}
