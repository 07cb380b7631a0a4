package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of all kinds, one after the other, in a run on hosts that are network namespaces. After
 * each of them the run continues with all its workers by itself.
 *
 * <p>{@code -Damb.soak.faults=N}: how many, three in the lab tier. {@code
 * -Damb.soak.pause=SECONDS}: the mean pause between them. {@code -Damb.soak.directory=DIR} keeps
 * the run and a journal there; after {@code -Damb.soak.minutes=N} the test ends, and the next one
 * continues. {@code -Damb.soak.kinds=KILL_MASTER|KILL_LAUNCHER}: these alone.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 10, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SoakTest {
  private static final Integer WANTED = Integer.getInteger("amb.soak.faults");

  /** In the lab tier, what no row of the fault matrix has. */
  private static final String USUAL =
      MatrixTest.WHOLE || WANTED != null ? ".*" : "CUT|LEAVE|KILL_LAUNCHER";

  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .filter(kind -> kind.name().matches(System.getProperty("amb.soak.kinds", USUAL)))
          .toList();
  private static final int FAULTS =
      WANTED != null ? WANTED : MatrixTest.WHOLE ? 5 * KINDS.size() : KINDS.size();
  private static final int PAUSE = Integer.getInteger("amb.soak.pause", 0);
  private static final int MINUTES = Integer.getInteger("amb.soak.minutes", 9 * 60);
  private static final String KEPT = System.getProperty("amb.soak.directory");

  /** Faults after which files, threads, memory and accuracy say something. */
  private static final int MANY = 100;

  private static final int WORKERS = 3;
  private static final int BATCH = 16;
  private static final int STALL_SECONDS = 8;
  private static final String RUN =
      "train optdigits fmb sgd %d --network mlp:32 --lr 0.01 --workers %d --evaluate-every 200"
          .formatted(BATCH, WORKERS);
  private static final String HOW =
      " --induce 0.15,0,1 --last-step 99999999 --checkpoint-every 5 --respawn 1000000 --restarts 1000000"
          + " --dead-after 3 --stall-after "
          + STALL_SECONDS;

  /** Student's t with 9 degrees of freedom, 0.975, for one more run than ten. */
  private static final double BAND = 2.262 * Math.sqrt(1.1);

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path temporary;

  /** What happens to a worker with its host, the master or the launcher. */
  enum Kind {
    KILL_WORKER,
    KILL_MASTER,
    KILL_LAUNCHER,
    /** Suspended for a second. */
    PAUSE_WORKER,
    /** Suspended for ever. */
    STOP_WORKER,
    /** The link is cut for a second. */
    CUT_BRIEFLY,
    /** The link is cut until the worker is removed. */
    CUT,
    /** The worker gets SIGTERM; when it has left, its host is listed again. */
    LEAVE;

    /** Whether the worker is removed, and joins again. */
    boolean removes() {
      return this == KILL_WORKER || this == STOP_WORKER || this == CUT || this == LEAVE;
    }
  }

  /**
   * A line of the journal.
   *
   * @param next seconds from the fault to the next new step
   * @param whole seconds from the fault to a step of all workers
   * @param files open files of the program that the user started, and so on
   */
  record Fault(
      int number,
      Kind kind,
      int rank,
      double next,
      double whole,
      long files,
      long threads,
      long kilobytes) {
    /** Each kind comes once in as many faults as there are kinds. */
    static Kind kind(int number) {
      List<Kind> all = new ArrayList<>(KINDS);
      Collections.shuffle(all, new Random(number / all.size()));
      return all.get(number % all.size());
    }
  }

  @Test
  void aRunGoesOnAfterEveryFault() throws Exception {
    Path directory = KEPT == null ? temporary : Files.createDirectories(Path.of(KEPT));
    Path journal = directory.resolve("journal.jsonl");
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    try (NetworkHosts hosts = NetworkHosts.up(directory, WORKERS + 1)) {
      RunDirectory run;
      try (AmbProcess amb = hosts.start(command(directory) + HOW)) {
        amb.awaitWhileRunning(() -> amb.run().lastStep() != null, "a step");
        run = amb.run();
        awaitWhole(amb, run.lastStep().step());
        int number = faults(journal).size();
        while (number < FAULTS && System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep((long) (2000 * PAUSE * Math.random()));
          Fault fault = happen(hosts, amb, number++);
          String line = JSON.writeValueAsString(fault) + "\n";
          Files.writeString(journal, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        amb.terminate();
        assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      }
      if (faults(journal).size() < FAULTS) {
        return;
      }
      String last = " --last-step " + (run.lastStep().step() + 10);
      try (AmbProcess amb =
          hosts.start(command(directory) + HOW.replaceFirst(" --last-step \\d+", last))) {
        assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      }
      assertEveryExampleIsCounted(run);
      if (KINDS.stream().noneMatch(Kind::removes)) {
        assertEquals(Trial.sha256(undisturbed(run, directory, 1)), Trial.sha256(run));
      }
      write(faults(journal), run, FAULTS < MANY ? "" : " " + compare(run, directory));
    }
  }

  private static String command(Path directory) throws IOException {
    Path runs = directory.resolve("runs");
    if (Files.notExists(runs)) {
      return RUN;
    }
    try (Stream<Path> all = Files.list(runs)) {
      return "train --resume " + all.findFirst().orElseThrow();
    }
  }

  private static List<Fault> faults(Path journal) throws IOException {
    List<Fault> faults = new ArrayList<>();
    if (Files.exists(journal)) {
      for (String line : Files.readAllLines(journal)) {
        faults.add(JSON.readValue(line, Fault.class));
      }
    }
    return faults;
  }

  /** Makes a fault happen, and waits until all workers compute again. */
  private static Fault happen(NetworkHosts hosts, AmbProcess amb, int number) throws Exception {
    Kind kind = Fault.kind(number);
    int rank = 1 + new Random(number).nextInt(WORKERS);
    ProcessHandle worker = amb.rank(rank);
    ProcessHandle master = amb.rank(0);
    long began = System.nanoTime();
    switch (kind) {
      case KILL_WORKER -> worker.destroyForcibly();
      case KILL_MASTER -> master.destroyForcibly();
      case KILL_LAUNCHER ->
          amb.living(words -> words.stream().anyMatch(word -> word.startsWith("-Damb.restarts")))
              .forEach(ProcessHandle::destroyForcibly);
      case PAUSE_WORKER -> {
        AmbProcess.signal("STOP", worker);
        TimeUnit.SECONDS.sleep(1);
        AmbProcess.signal("CONT", worker);
      }
      case STOP_WORKER -> AmbProcess.signal("STOP", worker);
      case CUT_BRIEFLY -> {
        hosts.cut(rank + 1);
        TimeUnit.SECONDS.sleep(1);
        hosts.mend(rank + 1);
      }
      case CUT -> {
        hosts.cut(rank + 1);
        TimeUnit.SECONDS.sleep(STALL_SECONDS);
        amb.awaitEnd(worker, AmbProcess.LIMIT);
        amb.awaitWhileRunning(() -> !isWhole(amb), "a step without the worker");
        hosts.mend(rank + 1);
      }
      case LEAVE -> {
        AmbProcess.signal("TERM", worker);
        amb.awaitEnd(worker, AmbProcess.LIMIT);
        amb.awaitWhileRunning(() -> !isWhole(amb), "a step without the worker");
        AmbProcess.signal("HUP", amb.handle());
      }
    }
    if (kind == Kind.KILL_MASTER || kind == Kind.KILL_LAUNCHER) {
      amb.awaitEnd(master, AmbProcess.LIMIT);
    }
    long step = amb.run().lastStep().step(); // No step after it is of before the fault.
    if (kind == Kind.KILL_WORKER || kind == Kind.STOP_WORKER) {
      amb.awaitEnd(worker, AmbProcess.LIMIT);
      amb.awaitWhileRunning(() -> !isWhole(amb), "a step without the worker");
    }
    amb.awaitWhileRunning(() -> amb.run().lastStep().step() > step + 1, "a step after " + kind);
    double next = (System.nanoTime() - began) / 1e9;
    awaitWhole(amb, step + 1);
    double whole = (System.nanoTime() - began) / 1e9;
    Path process = Path.of("/proc", Long.toString(amb.pid()));
    long kilobytes =
        Files.readAllLines(process.resolve("status")).stream()
            .filter(line -> line.startsWith("VmRSS"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum();
    long files = count(process.resolve("fd"));
    return new Fault(
        number, kind, rank, next, whole, files, count(process.resolve("task")), kilobytes);
  }

  private static void awaitWhole(AmbProcess amb, long step) throws Exception {
    amb.awaitWhileRunning(
        () -> amb.run().lastStep().step() > step && isWhole(amb), "a step of all workers");
  }

  private static boolean isWhole(AmbProcess amb) throws IOException {
    return amb.run().lastStep().numSamples() == (long) WORKERS * BATCH;
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  /** Each step is there once, and its examples are those that its workers have recorded. */
  private static void assertEveryExampleIsCounted(RunDirectory run) throws IOException {
    Map<Long, Long> computed = new HashMap<>();
    for (int worker = 1; worker <= WORKERS; worker++) {
      for (WorkerRecord one : LogRecord.of(WorkerRecord.class, run.workerRecords(worker))) {
        assertEquals(BATCH, one.numSamples());
        computed.merge(one.masterStep(), one.numSamples(), Long::sum);
      }
    }
    long total = 0;
    List<StepRecord> steps = LogRecord.of(StepRecord.class, run.masterRecords());
    for (StepRecord step : steps) {
      total += step.numSamples();
      assertEquals(total, step.totalSamples(), "total of step " + step.step());
      assertEquals(step.numSamples(), computed.remove(step.step()), "step " + step.step());
    }
    assertEquals(Map.of(), computed, "results without a step");
    assertEquals(
        LongStream.rangeClosed(1, steps.size()).boxed().toList(),
        steps.stream().map(StepRecord::step).toList());
  }

  /** A run of as many steps on the virtual cluster, without faults. */
  private static RunDirectory undisturbed(RunDirectory run, Path directory, int seed)
      throws Exception {
    String sim = " --engine sim --cost-per-example 0.01 --seed %d --last-step %d";
    Path place = directory.resolve("undisturbed-" + seed);
    return AmbProcess.run(place, RUN + sim.formatted(seed, run.lastStep().step())).run();
  }

  /** Compares the accuracy at the end with that of ten runs without faults. */
  private static String compare(RunDirectory run, Path directory) throws Exception {
    double sum = 0;
    double squares = 0;
    for (int seed = 2; seed < 12; seed++) {
      double accuracy = accuracy(undisturbed(run, directory, seed));
      sum += accuracy;
      squares += accuracy * accuracy;
    }
    double mean = sum / 10;
    double band = BAND * Math.sqrt((squares - sum * mean) / 9);
    double found = accuracy(run);
    String said = "The final accuracy is %.4f, that of ten runs without faults %.4f ± %.4f.";
    String text = String.format(Locale.ROOT, said, found, mean, band);
    assertTrue(Math.abs(found - mean) <= band, text);
    return text;
  }

  private static double accuracy(RunDirectory run) throws IOException {
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    return tests.get(tests.size() - 1).accuracy();
  }

  private static void write(List<Fault> faults, RunDirectory run, String compared)
      throws IOException {
    StringBuilder page = new StringBuilder();
    page.append(
        "%d faults, one after the other, in a run of %d steps, which ended with exit code 0.%s%n%n"
            .formatted(faults.size(), run.lastStep().step(), compared));
    page.append("| fault | times | s to the next step | s to a step of all workers |\n");
    page.append("| --- | --- | --- | --- |\n");
    for (Kind kind : KINDS) {
      List<Fault> same = faults.stream().filter(fault -> fault.kind() == kind).toList();
      String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
      String line = "| %s | %d | %.1f | %.1f |%n";
      double next = median(same, Fault::next);
      page.append(
          String.format(Locale.ROOT, line, name, same.size(), next, median(same, Fault::whole)));
    }
    if (faults.size() >= MANY) {
      page.append("\nThe first and the last quarter: ");
      page.append(quarters(faults, Fault::files, 5)).append(" open files, ");
      page.append(quarters(faults, Fault::threads, 5)).append(" threads, ");
      page.append(quarters(faults, Fault::kilobytes, 10_000)).append(" KB of memory.\n");
    }
    FaultTable.write("soak", Map.of("observed", page.toString()));
    FaultTable.writePage();
  }

  /** Medians of the first and the last quarter, which must not be much more. */
  private static String quarters(List<Fault> faults, ToDoubleFunction<Fault> of, double slack) {
    int quarter = faults.size() / 4;
    double first = median(faults.subList(0, quarter), of);
    double last = median(faults.subList(faults.size() - quarter, faults.size()), of);
    assertTrue(last <= first + slack, first + " " + last);
    return "%.0f and %.0f".formatted(first, last);
  }

  private static double median(List<Fault> faults, ToDoubleFunction<Fault> of) {
    double[] sorted = faults.stream().mapToDouble(of).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }
}
