package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** A run in a directory of its own into which a fault is injected, and the observations. */
final class Trial implements AutoCloseable {
  /** A command with steps of a little more than 0.05 s. */
  static final String TOY = "train toy fmb rms 16 --workers 3 --evaluate last --induce 0.05,0,1 ";

  /** Gives the bits of real ranks. */
  static final String SIM = " --engine sim --cost-per-example 0.1";

  /** The step after which a fault is injected. */
  static final int FAULT_STEP = 10;

  private static final Duration SOON = Duration.ofMinutes(1);

  /** A line about an injected fault may be seen before the line of the step before it. */
  private static final double SLACK_SECONDS = 0.3;

  private static final long AFTER_NANOS = 200_000_000;

  private static final Map<String, String> WHOLE = new ConcurrentHashMap<>();

  private final Path directory;
  private final Path home;
  private final ToldLines told;
  private final List<AmbProcess> started = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long acted = -1;
  private long over = Long.MAX_VALUE;
  private int code = -1;

  /** A trial in a directory that no other trial uses. */
  Trial(Path directory) throws IOException {
    this.directory = directory;
    home = Files.createDirectories(directory.resolve("trial"));
    told = new ToldLines(home);
  }

  /** The directory in which the trial's programs run. */
  Path home() {
    return home;
  }

  /** Acts on a run. */
  @FunctionalInterface
  interface Action {
    void on(AmbProcess amb) throws Exception;
  }

  AmbProcess start(String command) throws IOException {
    return start(AmbProcess.line(command));
  }

  AmbProcess start(List<String> line) throws IOException {
    Path place = started.isEmpty() ? home : home.resolve("again-" + started.size());
    AmbProcess amb = AmbProcess.start(place, line);
    started.add(amb);
    return amb;
  }

  /** Runs a program that meets its fault at the start. */
  void run(List<String> line) throws Exception {
    acts();
    awaitEnd(start(line));
  }

  /** Runs {@code amb}, which meets its fault at the start. */
  void run(String command) throws Exception {
    run(AmbProcess.line(command));
  }

  /** Runs {@code amb} with an option that injects a fault in step 11. */
  void injected(String command) throws Exception {
    during(command, amb -> {});
  }

  /** Runs {@code amb}, and acts on it after step 10. */
  void during(String command, Action action) throws Exception {
    during(AmbProcess.line(command), action);
  }

  /** Runs a program, and acts on it after step 10. */
  void during(List<String> line, Action action) throws Exception {
    AmbProcess amb = start(line);
    amb.awaitSteps(FAULT_STEP);
    acts();
    action.on(amb);
    awaitEnd(amb);
  }

  /** Runs {@code amb} to its end, without a fault. */
  void complete(String command) throws Exception {
    complete(AmbProcess.line(command));
  }

  /** Runs a program to its end, without a fault. */
  void complete(List<String> line) throws Exception {
    awaitEnd(start(line));
    assertEquals(0, code);
  }

  /** Runs {@code amb} without a fault, in a directory of its own. */
  RunDirectory aside(String command) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve("aside"), command);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run();
  }

  /** Records that the fault begins now. */
  void acts() {
    acted = System.nanoTime();
    over = Long.MAX_VALUE;
  }

  /** Waits for the end of a program, whose exit code counts. */
  void awaitEnd(AmbProcess amb) throws Exception {
    code = amb.awaitEnd(AmbProcess.LIMIT);
    over = Math.min(over, System.nanoTime());
    amb.awaitNoDescendants(SOON);
  }

  /** Waits for a line. */
  void awaitLine(AmbProcess amb, String part) throws Exception {
    awaitLines(amb, part, 1);
  }

  /** Waits for {@code count} lines. */
  void awaitLines(AmbProcess amb, String part, int count) throws Exception {
    amb.awaitWhileRunning(
        () -> told.lines().stream().filter(line -> line.text().contains(part)).count() >= count,
        part);
  }

  /** Adds a line of the trial itself. */
  void note(String line) {
    notes.add(line);
  }

  /** The exit code that counts. */
  int code() {
    return code;
  }

  /** The only run of the trial's first program. */
  RunDirectory run() throws IOException {
    return started.get(0).run();
  }

  /** Resumes the run. */
  void resume(String options) throws Exception {
    resume(options, amb -> {});
  }

  /** Resumes the run, and acts on it meanwhile. */
  void resume(String options, Action action) throws Exception {
    AmbProcess amb = start("train --resume %s %s".formatted(run().path(), options).strip());
    action.on(amb);
    awaitEnd(amb);
  }

  /**
   * Checks that the run has ended with the bits of a command without a fault: on the virtual
   * cluster, in one process instead of five.
   */
  void assertSameBits(String command) throws Exception {
    assertEquals(0, code, FailureReport.logs(home));
    String whole = WHOLE.get(command);
    if (whole == null) {
      whole = sha256(AmbProcess.run(directory.resolve("whole"), command.strip() + SIM).run());
      WHOLE.put(command, whole);
    }
    assertEquals(whole, sha256(run()), FailureReport.logs(home));
    note("the same final bits");
  }

  /** SHA-256 of the final parameters of a run that has ended. */
  static String sha256(RunDirectory run) throws IOException {
    return run.read().ending().parametersSha256();
  }

  /**
   * Checks that the newest checkpoint is at most {@code steps} steps older than the last recorded
   * step.
   */
  void assertAtMostOld(int steps) throws IOException {
    long last = run().lastStep().step();
    long newest = 0;
    try (var files = Files.list(run().checkpoints())) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("step-")).toList()) {
        newest = Math.max(newest, Long.parseLong(file.getFileName().toString().substring(5)));
      }
    }
    note("killed after step %d, the newest checkpoint is of step %d".formatted(last, newest));
    assertTrue(last - newest <= steps, notes.toString());
  }

  /** The first line that matches the expectation. */
  Optional<String> said(Pattern expected) {
    List<String> lines = new ArrayList<>(texts(false));
    lines.addAll(notes);
    lines.addAll(texts(true));
    return lines.stream()
        .filter(line -> expected.matcher(line).find())
        .findFirst()
        .map(line -> line.replace(home + "/", "").replace(directory.toString(), ""));
  }

  private List<String> texts(boolean log) {
    return told.lines().stream()
        .filter(line -> line.log() == log)
        .map(ToldLines.Line::text)
        .toList();
  }

  /**
   * Checks that the last line and {@code run.json} agree on how the run ended, if it could say so.
   * What to do follows, but a wrong option is no case for resuming.
   */
  void assertEnding() throws IOException {
    if (Files.isDirectory(home.resolve("runs")) && run().read().ending() != null) {
      RunInfo.Ending ending = run().read().ending();
      List<String> said = started.get(started.size() - 1).stderr();
      String last = said.isEmpty() ? "" : said.get(said.size() - 1);
      assertEquals(code, ending.exitCode());
      String cause = "amb: " + ending.cause() + (code == ExitCode.USAGE ? "" : "; ");
      assertTrue(code == 0 || last.startsWith(cause), last);
    }
  }

  /**
   * Seconds from the fault to the first line about it, or to the failure of the run; negative if
   * there is neither.
   */
  double secondsToDetect(Pattern expected) {
    for (ToldLines.Line line : told.lines()) {
      double seconds = (line.nanos() - acted) / 1e9;
      boolean tells = line.text().startsWith("amb:") || line.text().startsWith("mpjrun:");
      boolean logged = !line.text().startsWith("step = ") && expected.matcher(line.text()).find();
      boolean counts = line.log() ? logged : tells;
      if (acted > 0 && counts && seconds > -SLACK_SECONDS && line.nanos() - AFTER_NANOS < over) {
        return Math.max(0, seconds);
      }
    }
    return acted > 0 && code != 0 ? (over - acted) / 1e9 : -1;
  }

  /** The cost of each change of the run's workers, from {@code amb summarize}. */
  String lost() throws IOException {
    if (!Files.isDirectory(home.resolve("runs"))) {
      return "";
    }
    List<MembershipRecord> open = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    double usual = medianOfSteps();
    for (LogRecord record : run().masterRecords()) {
      if (record instanceof MembershipRecord change) {
        open.add(change);
      } else if (record instanceof StepRecord step) {
        for (MembershipRecord change : open) {
          double seconds = Math.max(0, step.time() - change.time() - usual);
          lost.add(String.format(Locale.ROOT, "%.2f s, %d", seconds, change.discarded()));
        }
        open.clear();
      }
    }
    return String.join("; ", lost);
  }

  private double medianOfSteps() throws IOException {
    List<Double> steps = stepSeconds(run());
    return steps.isEmpty() ? 0 : steps.get(steps.size() / 2);
  }

  /** Duration of the longest step after the first, in seconds. */
  double longestStep() throws IOException {
    List<Double> steps = stepSeconds(run());
    return steps.get(steps.size() - 1);
  }

  /** Times of a run's steps after the first, in seconds, the shortest first. */
  static List<Double> stepSeconds(RunDirectory run) throws IOException {
    List<StepRecord> steps = steps(run);
    List<Double> seconds = new ArrayList<>();
    for (int i = 1; i < steps.size(); i++) {
      seconds.add(steps.get(i).time() - steps.get(i - 1).time());
    }
    Collections.sort(seconds);
    return seconds;
  }

  /** Recorded updates. */
  List<StepRecord> steps() throws IOException {
    return steps(run());
  }

  private static List<StepRecord> steps(RunDirectory run) throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords());
  }

  @Override
  public void close() {
    started.forEach(AmbProcess::close);
    told.close();
  }
}
