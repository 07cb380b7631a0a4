package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.launch.SupervisedWorld;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Runs cases of the swarm on a disk whose power may fail, and judges them by their records. */
final class SwarmWorld implements AutoCloseable {
  private static final int ATTEMPTS = 6;
  private static final int LED = 5;
  private static final int TWICE = 25;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DataSet DATA =
      new DataSet("logistic", new ImageShape(1, 5, 8), 2, examples(600), examples(40));
  private static final Map<String, String> WHOLE = new HashMap<>();

  private final Path directory;

  private static Examples examples(int count) {
    Random random = new Random(count);
    float[] features = new float[count * 40];
    byte[] labels = new byte[count];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) random.nextInt(2);
    }
    return new FloatExamples(features, labels);
  }

  SwarmWorld() throws IOException {
    Path memory = Path.of("/dev/shm"); // Writes are synchronous, and a disk takes milliseconds.
    directory =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "amb-swarm-")
            : Files.createTempDirectory("amb-swarm-");
  }

  @Override
  public void close() throws IOException {
    Disk.REAL.delete(directory);
  }

  /**
   * Checkpoints that were said to be saved.
   *
   * @param step of the checkpoint
   * @param intact whether no fault of the campaign has damaged it since
   * @param recorded whether the records of its step were on the disk before it
   */
  private record Saved(long step, boolean intact, boolean recorded) {}

  /** A disk that rejects every change from the nth on, as if the power had failed. */
  private static final class Power implements Disk {
    private final int last;
    private final Random jitter; // null for none
    private final boolean damages;
    private final Random decay; // null for none
    private final List<Saved> saved;
    private int changes;

    Power(SwarmCase given, int attempt, List<Saved> saved) {
      last = attempt < given.cuts().size() ? given.cuts().get(attempt) : 0;
      jitter = given.jitter() ? new Random(given.seed()) : null;
      damages = given.has("checkpoint");
      decay = damages && attempt == 0 ? new Random(given.seed()) : null;
      this.saved = saved;
    }

    @Override
    public synchronized void check() throws IOException {
      changes++;
      if (hasFailed()) {
        throw new IOException("the power has failed");
      }
      if (jitter != null && jitter.nextInt(8) == 0) {
        LockSupport.parkNanos(jitter.nextInt(200_000));
      }
    }

    synchronized boolean hasFailed() {
      return last > 0 && changes >= last;
    }

    @Override
    public void written(Path checkpoint, long step) throws IOException {
      if (decay != null && decay.nextInt(4) == 0) {
        decay(checkpoint);
      }
      saved.removeIf(one -> one.step() == step);
      boolean intact = !damages || isIntact(checkpoint);
      saved.add(new Saved(step, intact, isRecorded(new RunDirectory(run(checkpoint)), step)));
    }

    private static Path run(Path checkpoint) {
      return checkpoint.getParent().getParent();
    }

    private static boolean isRecorded(RunDirectory run, long step) throws IOException {
      try (Stream<String> lines = Files.lines(run.masterLog())) {
        String record = "\"step\":" + step + ",\"loss\":";
        return lines.anyMatch(line -> line.contains(record));
      }
    }

    /** Changes a bit of any file; the fault of a campaign takes the largest. */
    private void decay(Path checkpoint) throws IOException {
      if (Files.exists(checkpoint)) {
        try (Stream<Path> files = Files.list(checkpoint)) {
          List<Path> all = files.sorted().toList();
          Path file = all.get(decay.nextInt(all.size()));
          byte[] bytes = Files.readAllBytes(file);
          bytes[decay.nextInt(bytes.length)] ^= (byte) (1 << decay.nextInt(8));
          Files.write(file, bytes);
        }
      }
    }

    /** Whether the manifest and each file have the checksums that were written with them. */
    private static boolean isIntact(Path checkpoint) throws IOException {
      if (Files.notExists(checkpoint)) {
        return false;
      }
      byte[] manifest = Files.readAllBytes(checkpoint.resolve("manifest.json"));
      String sum = Files.readString(checkpoint.resolve("manifest.json.sha256"));
      if (!sum.equals(sha256(manifest) + "  manifest.json\n")) {
        return false;
      }
      for (Map.Entry<String, JsonNode> file : JSON.readTree(manifest).get("files").properties()) {
        byte[] bytes = Files.readAllBytes(checkpoint.resolve(file.getKey()));
        if (!file.getValue().get("sha256").asText().equals(sha256(bytes))) {
          return false;
        }
      }
      return true;
    }

    private static String sha256(byte[] bytes) {
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * Leads the launcher through events of this seed, then runs a case to its end, through all losses
   * of power, and asserts what must hold. Some cases run twice, and must have the same records.
   */
  void check(SwarmCase given) throws IOException {
    for (int i = 0; i < LED; i++) {
      SupervisedWorld.lead(LED * given.seed() + i);
    }
    String records = records(given);
    if (given.seed() % TWICE == 0) {
      assertEquals(records, records(given), "records of the same case");
    }
  }

  private String records(SwarmCase given) throws IOException {
    Path path = Files.createTempDirectory(directory, "run-").resolve("run");
    RunDirectory run = new RunDirectory(path);
    try {
      check(given, run);
      // Where the power fails, the writer of checkpoints may be ahead or behind.
      return given.cuts().isEmpty() && !given.has("disk") && !given.has("checkpoint")
          ? Files.readString(run.masterLog())
          : "";
    } finally {
      Disk.REAL.delete(path.getParent());
    }
  }

  private void check(SwarmCase given, RunDirectory run) throws IOException {
    List<Saved> saved = new CopyOnWriteArrayList<>();
    String command = command(given, run);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long promised = promised(saved, given.keep());
      Power power = new Power(given, attempt, saved);
      int code;
      try {
        code = train(command, power);
      } catch (UsageException e) {
        if (attempt == 0) {
          throw e;
        }
        assertEquals(0, promised, "saved, but " + e.getMessage());
        return; // Nothing is left that was said to be saved.
      }
      if (attempt > 0 && !power.hasFailed()) {
        long from =
            Long.parseLong(run.read().environment().getOrDefault("resumed_after_step", "0"));
        assertTrue(from >= promised, "resumed after " + from + ", saved was " + promised);
        assertTrue(
            saved.stream().allMatch(one -> one.intact() || one.step() != from), "damaged: " + from);
      }
      assertEnd(given, run, code, power, attempt);
      assertTrue(given.has("disk") || saved.stream().allMatch(Saved::recorded), "saved: " + saved);
      if (power.hasFailed() && given.jitter()) {
        tear(run.masterLog());
        tear(run.workerLog(1));
      }
      if (code == 0 && !power.hasFailed() || code >= ExitCode.ALL_WORKERS_LOST) {
        assertDone(given, run, code, attempt);
        return;
      }
      command = "--resume " + run.path();
    }
    throw new AssertionError("not done after " + ATTEMPTS + " attempts");
  }

  /** A record that the power did not last for. */
  private static void tear(Path log) throws IOException {
    if (Files.exists(log)) {
      Files.writeString(log, "{\"type\":\"st", StandardOpenOption.APPEND);
    }
  }

  private static String command(SwarmCase given, RunDirectory run) throws IOException {
    String command =
        given.options() + " --last-step " + given.steps() + " --run-directory " + run.path();
    if (given.faults().isEmpty()) {
      return command;
    }
    Path file = Files.writeString(run.path().resolveSibling("campaign.yaml"), given.file());
    return command + " --inject " + file;
  }

  /** The step that a run must resume after: the newest intact one of those that are kept. */
  private static long promised(List<Saved> saved, int keep) {
    return saved.stream()
        .sorted(Comparator.comparingLong(Saved::step).reversed())
        .limit(keep)
        .filter(Saved::intact)
        .mapToLong(Saved::step)
        .max()
        .orElse(0);
  }

  private int train(String command, Power power) throws IOException {
    Settings settings =
        RunSession.complete(CommandLine.parse(Arrays.asList(command.split(" "))).settings());
    RunInput input = new RunInput(() -> DATA, null, null);
    RunParts parts = RunSession.price(RunSession.check(settings, input), RunView.none());
    RunOwner owner = new RunOwner(warning -> {}, StopRequest::byProgram, lost -> {}, power);
    Host host = new Host(parts, owner, power);
    try {
      return new RunSession(parts, null, owner, List.of("swarm"), Map.of(), List.of(), host)
          .run()
          .exitCode();
    } catch (IOException e) {
      if (power.hasFailed()) {
        return ExitCode.FAILED;
      }
      throw e;
    }
  }

  private record Host(RunParts run, RunOwner owner, Power power) implements RunSession.Host {
    @Override
    public RunEnding ending(RunLock lock) {
      return RunEnding.ofProgram(lock);
    }

    @Override
    public RunOutcome train(RunLock lock) throws IOException {
      TrainingEngine.run(run, RunOutput.in(lock.run()), owner, RunView.none());
      return RunOutcome.DONE;
    }

    @Override
    public RunOutcome end(RunEnding ending, RunOutcome outcome) throws IOException {
      return power.hasFailed() ? new RunOutcome(ExitCode.FAILED, "power") : ending.write(outcome);
    }

    @Override
    public RunOutcome failed(RunEnding ending, Throwable failure) {
      RunOutcome outcome = RunSession.outcome(failure);
      if (power.hasFailed()) {
        return new RunOutcome(ExitCode.FAILED, "power");
      }
      ending.writeAfter(failure, outcome);
      return outcome;
    }
  }

  private static void assertEnd(
      SwarmCase given, RunDirectory run, int code, Power power, int attempt) throws IOException {
    boolean disk = given.has("disk") || given.has("checkpoint");
    boolean known =
        code == 0
            || power.hasFailed()
            || attempt == 0
                && (code == ExitCode.FAILED && disk
                    || code == ExitCode.FAILED && given.mayDiverge() && !nans(run).isEmpty()
                    || code == ExitCode.NOT_FINITE && given.mayDiverge() && !nans(run).isEmpty()
                    || code == ExitCode.ALL_WORKERS_LOST && areRemoved(given, run)
                    || code == ExitCode.TOO_FEW_WORKERS && !removed(run).isEmpty());
    assertTrue(known, "exit code " + code + ": " + run.read().ending());
  }

  private static boolean areRemoved(SwarmCase given, RunDirectory run) throws IOException {
    return removed(run).containsAll(given.everyone());
  }

  /** The records of a run that has said how it ended. */
  private void assertDone(SwarmCase given, RunDirectory run, int code, int resumes)
      throws IOException {
    List<LogRecord> master = run.masterRecords();
    List<StepRecord> steps = LogRecord.of(StepRecord.class, master);
    long last = code == 0 ? given.steps() : run.read().ending().steps();
    assertEquals(
        LongStream.rangeClosed(1, last).boxed().toList(),
        steps.stream().map(StepRecord::step).toList(),
        "steps");
    long total = 0;
    double time = 0;
    for (StepRecord step : steps) {
      total += step.numSamples();
      assertEquals(total, step.totalSamples(), "total of step " + step.step());
      assertTrue(step.time() >= time, "time of step " + step.step());
      time = step.time();
    }
    assertTrue(time <= given.limit(), time + " s of virtual time, limit " + given.limit());
    assertEachExampleCountsOnce(given, run, steps, code, resumes);
    List<MembershipRecord> changes = LogRecord.of(MembershipRecord.class, master);
    assertOneGenerationAtATime(given, steps, changes, removed(run), resumes);
    List<Long> tested =
        LogRecord.of(EvaluationRecord.class, master).stream().map(EvaluationRecord::step).toList();
    assertEquals(code == 0 ? List.of(last) : List.of(), tested, "tested steps");
    if (code == 0) {
      assertTidy(given, run, resumes);
      SwarmCase alike = given.alike();
      String expected = alike == null ? null : parameters(alike);
      if (expected != null) {
        assertEquals(expected, run.read().ending().parametersSha256(), "bits");
      }
    }
  }

  private static void assertTidy(SwarmCase given, RunDirectory run, int resumes)
      throws IOException {
    assertTrue(run.read().ending().parametersSha256() != null, "no final parameters");
    try (Stream<Path> left = Files.list(run.checkpoints())) {
      List<String> names = left.map(path -> path.getFileName().toString()).toList();
      assertTrue(
          names.stream().allMatch(name -> name.matches("(step|best)-\\d+")), "left: " + names);
      long best = names.stream().filter(name -> name.startsWith("best")).count();
      assertTrue(best == 1 || best == 2 && resumes > 0 || given.has("disk"), "best: " + names);
    }
    assertFalse(Files.exists(run.path().resolve("run.json.tmp")));
  }

  private static void assertEachExampleCountsOnce(
      SwarmCase given, RunDirectory run, List<StepRecord> steps, int code, int resumes)
      throws IOException {
    List<LogRecord> master = run.masterRecords();
    Map<Long, Long> used = new HashMap<>();
    Map<Long, List<Integer>> ranks = new HashMap<>();
    Map<Integer, Long> taken = new HashMap<>();
    Set<String> spoilt = nans(run);
    for (int worker = 1; worker <= given.workers(); worker++) {
      for (WorkerRecord one : LogRecord.of(WorkerRecord.class, run.workerRecords(worker))) {
        assertEquals(worker, one.rank());
        used.merge(one.masterStep(), one.numSamples(), Long::sum);
        ranks.computeIfAbsent(one.masterStep(), step -> new ArrayList<>()).add(worker);
        taken.merge(worker, one.numSamples(), Long::sum);
        String what = worker + " in " + one.masterStep();
        boolean complete = !given.scheme().equals("fmb") || one.numSamples() == SwarmCase.BATCH;
        assertTrue(complete || spoilt.contains(what), one.numSamples() + " examples of " + what);
        boolean counts = one.numSamples() > 0 && spoilt.contains(what) && given.isSynchronous();
        boolean again = resumes > 0 || given.has("stale") || isRepeated(master, one.masterStep());
        assertTrue(!counts || again, "examples that are not finite of " + what);
      }
    }
    for (StepRecord step : steps) {
      assertEquals(
          step.numSamples(), used.getOrDefault(step.step(), 0L), "examples of step " + step.step());
      List<Integer> members = members(given, master, step.step());
      List<Integer> found = ranks.getOrDefault(step.step(), List.of());
      if (given.isSynchronous()) {
        assertEquals(members, found, "results in step " + step.step());
      }
      assertTrue(members.containsAll(found), found + " of " + members + " in " + step.step());
    }
    long results = used.keySet().stream().filter(step -> step > steps.size()).count();
    // Records of steps come last, and a failing disk may take no more of them.
    results = given.has("disk") ? 0 : results;
    assertEquals(0, results, "results of steps that were not done: " + used.keySet());
    if (code == 0 && given.isSynchronous() && spoilt.isEmpty() && !given.has("checkpoint")) {
      CheckpointDirectory saved = new CheckpointDirectory(run.checkpoints(), Origin.ANY);
      Checkpoint last = saved.latest(warning -> {}).orElseThrow();
      ResumePoint found = ResumePoint.of(last, given.workers());
      for (int worker : given.everyone()) {
        assertEquals(
            taken.getOrDefault(worker, 0L), found.examples(worker), "place in data of " + worker);
      }
    }
    List<Integer> members = given.everyone();
    Set<DropRecord> drops = new HashSet<>();
    for (LogRecord record : master) {
      if (record instanceof MembershipRecord change) {
        members = change.workers();
      } else if (record instanceof DropRecord drop) {
        assertTrue(drop.step() <= steps.size(), "drop of " + drop.step());
        assertTrue(drops.add(drop), "twice: " + drop);
        assertTrue(members.contains(drop.rank()), "drop of " + drop.rank() + " of " + members);
      }
    }
  }

  /** The results that were made non-finite: worker and step. */
  private static Set<String> nans(RunDirectory run) throws IOException {
    return injected(run, List.of("nan"), done -> done.get("rank") + " in " + done.get("step"));
  }

  /** The workers that faults have removed. */
  private static Set<Integer> removed(RunDirectory run) throws IOException {
    return injected(run, SwarmCase.REMOVING, done -> done.get("rank").asInt());
  }

  private static <T> Set<T> injected(
      RunDirectory run, List<String> kinds, Function<JsonNode, T> what) throws IOException {
    Set<T> injected = new HashSet<>();
    if (Files.exists(run.faults())) {
      for (String line : Files.readAllLines(run.faults())) {
        JsonNode done = JSON.readTree(line);
        if (kinds.contains(done.get("kind").asText())) {
          injected.add(what.apply(done));
        }
      }
    }
    return injected;
  }

  private static boolean isRepeated(List<LogRecord> master, long step) {
    return LogRecord.of(MembershipRecord.class, master).stream()
        .anyMatch(change -> change.step() == step - 1);
  }

  /** The workers of the generation that did a step. */
  private static List<Integer> members(SwarmCase given, List<LogRecord> master, long step) {
    List<Integer> members = given.everyone();
    for (MembershipRecord change : LogRecord.of(MembershipRecord.class, master)) {
      members = change.step() < step ? change.workers() : members;
    }
    return members;
  }

  private static void assertOneGenerationAtATime(
      SwarmCase given,
      List<StepRecord> steps,
      List<MembershipRecord> changes,
      Set<Integer> removed,
      int resumes) {
    int restarts = 0;
    int generation = 1;
    long step = 0;
    for (MembershipRecord change : changes) {
      restarts += change.generation() <= generation ? 1 : 0;
      assertTrue(restarts <= resumes, "generation " + change.generation() + " after " + generation);
      generation = change.generation();
      assertTrue(change.step() >= step, "a generation of an earlier step");
      double time = change.step() == 0 ? 0 : steps.get((int) change.step() - 1).time();
      assertEquals(time, change.time(), "time of generation " + generation);
      step = change.step();
      long most = given.scheme().equals("fmb") ? SwarmCase.BATCH * given.workers() : Long.MAX_VALUE;
      assertTrue(change.discarded() >= 0 && change.discarded() <= most, "discarded: " + change);
      List<Integer> workers = new ArrayList<>(new TreeSet<>(change.workers()));
      assertEquals(workers, change.workers(), "members ascend, each once");
      assertTrue(given.everyone().containsAll(workers), "members " + workers);
      workers.addAll(removed);
      boolean finish = change.step() == steps.size(); // Those that have finished are no members.
      assertTrue(
          finish || workers.containsAll(given.everyone()), "removed without a fault: " + change);
    }
  }

  /** The parameters at the end of a case; null if it ends before. */
  private String parameters(SwarmCase given) throws IOException {
    String key = given.file().replaceAll(" --(respawn|\\w+-after) [^ ]+", "");
    if (given.faults().isEmpty() && WHOLE.containsKey(key)) {
      return WHOLE.get(key);
    }
    Path path = Files.createTempDirectory(directory, "alike-").resolve("run");
    RunDirectory run = new RunDirectory(path);
    int code = train(command(given, run), new Power(given, 0, new CopyOnWriteArrayList<>()));
    String found = code == 0 ? run.read().ending().parametersSha256() : null;
    Disk.REAL.delete(path.getParent());
    if (given.faults().isEmpty()) {
      WHOLE.put(key, found);
    }
    return found;
  }
}
