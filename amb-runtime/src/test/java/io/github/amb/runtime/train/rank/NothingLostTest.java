package io.github.amb.runtime.train.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.runs.ExportCommand;
import io.github.amb.runtime.train.TrainCommand;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunIdentity;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.part.RunParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * After exit code 0, {@code export} gives the parameters whose hash {@code run.json} names. After
 * any other end, no record and no checkpoint that was whole is gone, but for checkpoints older than
 * as many whole ones as are kept.
 */
@Tag("system")
class NothingLostTest {
  private static final String OPTIONS = "toy fmb rms 16 --workers 0 --evaluate last --test-size 8";
  private static final int STEPS = 14;
  private static Path directory;

  /** SHA-256 of the parameters after each step of an undisturbed run. */
  private static final Map<Long, String> EXPECTED = new HashMap<>();

  private static RunDirectory other;

  /**
   * What is done to a run.
   *
   * @param more how many steps it is to do beyond those that it was to do before
   * @param killedAt change of the disk before which it is killed; none comes later if it is large
   * @param damage what happens to a checkpoint afterwards
   * @param which checkpoint, counted from the newest
   */
  private record Act(
      int more, int every, int keep, boolean over, int killedAt, Damage damage, int which) {}

  private enum Damage {
    NONE,
    FLIPPED,
    SHORT,
    NO_PARAMETERS,
    NO_MANIFEST,
    EMPTIED,
    FOREIGN,
    UNREADABLE
  }

  /** A disk that rejects every change from the nth on, as for a killed process. */
  private static final class Killed implements Disk {
    private final int last;
    private int changes;

    private Killed(int last) {
      this.last = last;
    }

    @Override
    public synchronized void check() throws IOException {
      changes++;
      if (changes >= last) {
        throw new IOException("killed");
      }
    }

    synchronized boolean happened() {
      return changes >= last;
    }
  }

  @BeforeContainer
  static void trainOnce() throws IOException {
    directory = Files.createTempDirectory("amb-nothing-lost-");
    String all = OPTIONS + " --checkpoint-every 1 --checkpoint-keep 99 --last-step " + STEPS;
    RunDirectory whole = new RunDirectory(directory.resolve("whole"));
    assertEquals(0, command(all + " --run-directory " + whole.path()));
    CheckpointDirectory saved = new CheckpointDirectory(whole.checkpoints(), Origin.ANY);
    for (long step : saved.steps()) {
      EXPECTED.put(step, saved.open(step).parametersSha256());
    }
    other = new RunDirectory(directory.resolve("other"));
    assertEquals(0, command(all + " --seed 2 --run-directory " + other.path()));
  }

  @AfterContainer
  static void remove() throws IOException {
    delete(directory);
  }

  private static void delete(Path path) throws IOException {
    try (Stream<Path> tree = Files.walk(path)) {
      for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static int command(String line) throws IOException {
    return new TrainCommand().run(Arrays.asList(line.split(" ")));
  }

  @Provide
  Arbitrary<List<Act>> acts() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 3),
            Arbitraries.of(false, false, false, true),
            Arbitraries.oneOf(
                Arbitraries.just(Integer.MAX_VALUE), Arbitraries.integers().between(1, 60)),
            Arbitraries.of(Damage.class),
            Arbitraries.integers().between(0, 2))
        .as(Act::new)
        .list()
        .ofMinSize(2)
        .ofMaxSize(6);
  }

  @Property(tries = 10)
  void noIntactFileIsLost(@ForAll("acts") List<Act> acts) throws Exception {
    assertNoIntactFileIsLost(acts);
  }

  @Property(tries = 30)
  @Tag("lab")
  void noIntactFileIsLostInManyRuns(@ForAll("acts") List<Act> acts) throws Exception {
    assertNoIntactFileIsLost(acts);
  }

  private static void assertNoIntactFileIsLost(List<Act> acts) throws Exception {
    RunDirectory run =
        new RunDirectory(Files.createTempDirectory(directory, "try-").resolve("run"));
    int limit = 2;
    boolean first = true;
    for (Act act : acts) {
      limit = Math.min(STEPS, limit + act.more());
      String options =
          " --last-step %d --checkpoint-every %d --checkpoint-keep %d"
              .formatted(limit, act.every(), act.keep());
      if (first) {
        step(run, OPTIONS + options + " --run-directory " + run.path(), act);
        first = false;
      } else {
        String from = act.over() ? " --resume-from start" : "";
        step(run, "--resume " + run.path() + options + from, act);
      }
      if (act.damage() == Damage.UNREADABLE) {
        rejectedWhileUnreadable(run, act.which());
      } else {
        damage(run, act.damage(), act.which());
      }
    }
    delete(run.path().getParent());
  }

  /** Trains, and checks the state afterwards. */
  private static void step(RunDirectory run, String command, Act act) throws Exception {
    Map<String, Long> before = wholeOnes(run);
    Set<String> records = records(run);
    Long newest = newestWhole(run);
    RunOutcome outcome;
    try {
      outcome = train(run, command, act.killedAt());
    } catch (UsageException e) {
      assertTrue(!act.over() && newest == null, "rejected for nothing: " + e.getMessage());
      assertEquals(before, wholeOnes(run));
      assertEquals(records, records(run));
      return;
    }
    if (outcome != null && outcome.exitCode() == 0) {
      assertCertified(run);
    }
    records.removeAll(records(run));
    assertEquals(Set.of(), records);
    Map<String, Long> after = wholeOnes(run);
    before.keySet().removeAll(after.keySet());
    List<Long> steps = wholeSteps(run);
    for (long gone : before.values()) {
      long newer = steps.stream().filter(each -> each > gone).count();
      assertTrue(newer >= act.keep(), "step " + gone + " is gone, left: " + steps);
    }
  }

  /**
   * Trains in this process like the command.
   *
   * @return null if the run was killed before it could record its end
   */
  private static RunOutcome train(RunDirectory run, String command, int killedAt)
      throws IOException {
    Killed disk = new Killed(killedAt);
    var typed = CommandLine.parse(Arrays.asList(command.split(" "))).settings();
    RunParts parts = RunParts.of(ResumeOptions.complete(typed));
    PrintStream console = new PrintStream(OutputStream.nullOutputStream());
    RunOwner owner = new RunOwner(warning -> {}, StopRequest::new, lost -> {}, disk);
    // A killed process holds no lock any more, like this one after this block.
    try (RunLock lock =
        command.startsWith("--resume")
            ? ResumeOptions.prepare(parts, owner)
            : RunWriter.create(null, parts.settings(), List.of(), owner)) {
      assertEquals(run, lock.run());
      ProcessEnvironment host = new ProcessEnvironment(parts, OptionalInt.empty());
      new TrainRank(parts, 0, new SystemClock(), console, host, owner)
          .local(RunOutput.in(run), now -> {});
    } catch (IOException | RuntimeException e) {
      if (e instanceof UsageException usage) {
        throw usage;
      }
      assertTrue(disk.happened(), () -> "failed for nothing: " + e);
    }
    return disk.happened() ? null : RunWriter.end(run, new RunOutcome(0, ""));
  }

  private static void assertCertified(RunDirectory run) throws Exception {
    RunInfo.Ending ending = run.read().ending();
    assertEquals(EXPECTED.get(ending.steps()), ending.parametersSha256());
    assertEquals(ending.parametersSha256(), exportedSha256(run));
    assertArrayEquals(
        LongStream.rangeClosed(1, ending.steps()).toArray(),
        run.masterRecords().stream()
            .filter(StepRecord.class::isInstance)
            .mapToLong(record -> ((StepRecord) record).step())
            .toArray());
  }

  /** SHA-256 of the exported parameters, as a file that NumPy would write. */
  private static String exportedSha256(RunDirectory run) throws Exception {
    Path file = run.path().resolveSibling("exported");
    Files.deleteIfExists(file);
    assertEquals(
        0, new ExportCommand().run(List.of(run.path().toString(), "--output", file.toString())));
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position((int) bytes.getLong() + Long.BYTES);
    float[] parameters = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(parameters);
    ByteArrayOutputStream npy = new ByteArrayOutputStream();
    NpyArray.write(npy, parameters);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(npy.toByteArray()));
  }

  /** Steps of all intact checkpoints, wherever they are, from their manifests. */
  private static Map<String, Long> wholeOnes(RunDirectory run) throws IOException {
    Map<String, Long> found = new HashMap<>();
    if (Files.exists(run.path())) {
      try (Stream<Path> tree = Files.walk(run.path())) {
        for (Path path :
            tree.filter(p -> p.getFileName().toString().startsWith("step-")).toList()) {
          Checkpoint whole = open(run, path);
          if (whole != null) {
            found.put(Files.readString(path.resolve("manifest.json")), whole.step());
          }
        }
      }
    }
    return found;
  }

  /** The complete lines of all logs, wherever they are. */
  private static Set<String> records(RunDirectory run) throws IOException {
    Set<String> lines = new HashSet<>();
    if (Files.exists(run.path())) {
      try (Stream<Path> tree = Files.walk(run.path())) {
        for (Path path : tree.filter(p -> p.toString().endsWith(".jsonl")).toList()) {
          lines.addAll(Files.readAllLines(path));
        }
      }
    }
    return lines;
  }

  private static List<Long> wholeSteps(RunDirectory run) throws IOException {
    List<Long> steps = new ArrayList<>();
    for (Path path : checkpoints(run)) {
      Checkpoint whole = open(run, path);
      if (whole != null) {
        steps.add(whole.step());
      }
    }
    return steps;
  }

  private static Long newestWhole(RunDirectory run) throws IOException {
    return wholeSteps(run).stream().max(Comparator.naturalOrder()).orElse(null);
  }

  private static Checkpoint open(RunDirectory run, Path path) throws IOException {
    Origin origin = new Origin(Origin.UNKNOWN, RunIdentity.of(run.read()));
    try {
      return Checkpoint.open(path, origin);
    } catch (IOException e) {
      return null;
    }
  }

  /** Newest first. */
  private static List<Path> checkpoints(RunDirectory run) throws IOException {
    if (!Files.exists(run.checkpoints())) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(run.checkpoints())) {
      return all.filter(path -> path.getFileName().toString().startsWith("step-"))
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  private static void damage(RunDirectory run, Damage damage, int which) throws IOException {
    List<Path> all = checkpoints(run);
    if (which >= all.size() || damage == Damage.NONE) {
      return;
    }
    Path hit = all.get(which);
    Path parameters = hit.resolve("parameters.npy");
    byte[] bytes = Files.exists(parameters) ? Files.readAllBytes(parameters) : new byte[0];
    switch (damage) {
      case FLIPPED -> {
        // The file is missing or empty after other damage.
        bytes = bytes.length == 0 ? new byte[1] : bytes;
        bytes[bytes.length / 2] ^= 1;
        Files.write(parameters, bytes);
      }
      case SHORT -> Files.write(parameters, Arrays.copyOf(bytes, bytes.length / 2));
      case NO_PARAMETERS -> Files.deleteIfExists(parameters);
      case NO_MANIFEST -> Files.deleteIfExists(hit.resolve("manifest.json"));
      case EMPTIED -> {
        delete(hit);
        Files.createDirectory(hit);
      }
      default -> {
        delete(hit);
        copy(other.checkpoints().resolve(hit.getFileName()), hit);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** /proc/self/mem cannot be read where it begins. */
  private static void rejectedWhileUnreadable(RunDirectory run, int which) throws IOException {
    List<Path> all = checkpoints(run);
    Path mem = Path.of("/proc/self/mem");
    Path hit = all.isEmpty() ? null : all.get(0).resolve("manifest.json.sha256");
    if (which > 0 || hit == null || !Files.exists(hit) || !Files.exists(mem)) {
      return;
    }
    byte[] sum = Files.readAllBytes(hit);
    Files.delete(hit);
    Files.createSymbolicLink(hit, mem);
    Map<String, Long> before = wholeOnes(run);
    byte[] info = Files.readAllBytes(run.info());
    boolean rejected = false;
    try {
      train(run, "--resume " + run.path() + " --last-step " + STEPS, Integer.MAX_VALUE);
    } catch (UsageException e) {
      rejected = e.getMessage().contains("cannot read ");
    }
    assertTrue(rejected);
    assertEquals(before, wholeOnes(run));
    assertArrayEquals(info, Files.readAllBytes(run.info()));
    Files.delete(hit);
    Files.write(hit, sum);
  }
}
