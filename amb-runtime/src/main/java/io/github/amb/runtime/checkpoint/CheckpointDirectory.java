package io.github.amb.runtime.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The checkpoints of a run: {@code step-<n>}, of which the last few are kept, and {@code best-<n>},
 * the best parameters that were tested. Each appears under its name only when all of it is on the
 * disk.
 *
 * @param path {@code checkpoints/} of a run directory; need not exist
 * @param origin what its checkpoints must come from, and those written here do
 */
public record CheckpointDirectory(Path path, Origin origin) {
  private static final String STEP = "step-";
  private static final String BEST = "best-";
  private static final String UNFINISHED = ".unfinished-";

  /** The checkpoints of a run of which nothing is known. */
  public CheckpointDirectory(Path path) {
    this(path, Origin.ANY);
  }

  /** Steps of the checkpoints that training can go on from, ascending. */
  public List<Long> steps() throws IOException {
    return numbers(STEP);
  }

  /**
   * Opens the checkpoint of a step.
   *
   * @throws IOException if there is none, it is damaged, or it is that of another run
   */
  public Checkpoint open(long step) throws IOException {
    Checkpoint checkpoint = Checkpoint.open(named(STEP, step), origin);
    var files = checkpoint.manifest().files().keySet();
    if (!files.contains(Checkpoint.MASTER)) {
      throw new IOException(
          "%s: expected %s among its files, found %s"
              .formatted(checkpoint.path(), Checkpoint.MASTER, files));
    }
    return checkpoint;
  }

  /**
   * The newest checkpoint that is not damaged; empty if there is none.
   *
   * @param warnings receives a line for every damaged one that was left out
   */
  public Optional<Checkpoint> latest(Consumer<String> warnings) throws IOException {
    List<Long> steps = steps();
    for (int i = steps.size() - 1; i >= 0; i--) {
      try {
        return Optional.of(open(steps.get(i)));
      } catch (IOException e) {
        warnings.accept("checkpoint left out: " + e.getMessage());
      }
    }
    return Optional.empty();
  }

  /** The parameters that did best on test examples; empty if none were tested. */
  public Optional<Checkpoint> best() throws IOException {
    List<Long> steps = numbers(BEST);
    return steps.isEmpty()
        ? Optional.empty()
        : Optional.of(Checkpoint.open(named(BEST, steps.get(steps.size() - 1)), origin));
  }

  /** SHA-256 of the file of parameters after {@code step} updates; null if there is none. */
  public String parametersSha256(long step) throws IOException {
    Path checkpoint = named(STEP, step);
    return Files.exists(checkpoint)
        ? Checkpoint.manifest(checkpoint).files().get(Checkpoint.PARAMETERS).sha256()
        : null;
  }

  private Path named(String prefix, long step) {
    return path.resolve(String.format(Locale.ROOT, "%s%09d", prefix, step));
  }

  private List<Long> numbers(String prefix) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.matches(prefix + "\\d{9,18}"))
          .map(name -> Long.valueOf(name.substring(prefix.length())))
          .sorted()
          .toList();
    }
  }

  /**
   * Writes a checkpoint, and removes old ones when it is on the disk.
   *
   * @param keep how many to keep, at least 1
   * @throws IOException if it cannot be written; those before it are untouched
   */
  void write(Snapshot snapshot, int keep) throws IOException {
    Path target = named(STEP, snapshot.step);
    if (Files.exists(target)) {
      return;
    }
    publish(snapshot, target, true);
    List<Long> steps = steps();
    for (int i = 0; i < steps.size() - keep; i++) {
      delete(named(STEP, steps.get(i)));
    }
  }

  /** Writes parameters as the best ones, in place of those that were. */
  void writeBest(Snapshot snapshot) throws IOException {
    Path target = named(BEST, snapshot.step);
    if (!Files.exists(target)) {
      publish(snapshot, target, false);
    }
    for (long step : numbers(BEST)) {
      if (step != snapshot.step) {
        delete(named(BEST, step));
      }
    }
  }

  private void publish(Snapshot snapshot, Path target, boolean whole) throws IOException {
    Files.createDirectories(path);
    Path unfinished = path.resolve(UNFINISHED + target.getFileName());
    delete(unfinished);
    Files.createDirectory(unfinished);
    try {
      writeFiles(snapshot, unfinished, whole);
      DurableFile.sync(unfinished);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      delete(unfinished);
      throw e;
    }
    DurableFile.sync(path);
  }

  private void writeFiles(Snapshot snapshot, Path directory, boolean whole) throws IOException {
    Map<String, Manifest.FileSum> files = new LinkedHashMap<>();
    files.put(
        Checkpoint.PARAMETERS,
        DurableFile.write(
            directory.resolve(Checkpoint.PARAMETERS),
            out -> NpyFormat.write(out, snapshot.parameters())));
    if (whole) {
      writeState(snapshot, directory, files);
    }
    Manifest manifest =
        new Manifest(
            Manifest.FORMAT,
            snapshot.step,
            snapshot.seconds,
            snapshot.accuracy,
            origin.run(),
            Manifest.blocks(snapshot.layout),
            files);
    byte[] json = Manifest.JSON.writeValueAsBytes(manifest);
    Manifest.FileSum sum =
        DurableFile.write(directory.resolve(Manifest.NAME), out -> out.write(json));
    byte[] line = Checkpoint.sumLine(sum.sha256()).getBytes(StandardCharsets.ISO_8859_1);
    DurableFile.write(directory.resolve(Checkpoint.MANIFEST_SUM), out -> out.write(line));
  }

  private static void writeState(
      Snapshot snapshot, Path directory, Map<String, Manifest.FileSum> files) throws IOException {
    files.put(
        Checkpoint.MASTER,
        DurableFile.write(
            directory.resolve(Checkpoint.MASTER),
            out -> NpzFormat.write(out, snapshot.master.without(Snapshot.PARAMETERS))));
    for (var worker : snapshot.workers.entrySet()) {
      String name = Checkpoint.workerFile(worker.getKey());
      files.put(
          name,
          DurableFile.write(
              directory.resolve(name), out -> NpzFormat.write(out, worker.getValue())));
    }
  }

  /** Removes what a crash has left of a checkpoint that was being written. */
  void clean() throws IOException {
    if (!Files.isDirectory(path)) {
      return;
    }
    List<Path> left = new ArrayList<>();
    try (Stream<Path> entries = Files.list(path)) {
      entries.filter(e -> e.getFileName().toString().startsWith(UNFINISHED)).forEach(left::add);
    }
    for (Path unfinished : left) {
      delete(unfinished);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> tree = Files.walk(directory)) {
      all = tree.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }
}
