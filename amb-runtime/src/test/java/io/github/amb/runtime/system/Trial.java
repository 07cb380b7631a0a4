package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** A run in a directory of its own to which a fault is done, and what is seen of it. */
final class Trial implements AutoCloseable {
  /** Steps of 0.05 s and a little more. */
  static final String TOY = "train toy fmb rms 16 --workers 3 --evaluate last --induce 0.05,0,1 ";

  /** The step after which a fault comes. */
  static final int FAULT_STEP = 10;

  private static final Duration SOON = Duration.ofMinutes(1);

  /** A line that an injected fault has led to may be seen before the step before it is. */
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

  /** In a directory that no other trial uses. */
  Trial(Path directory) throws IOException {
    this.directory = directory;
    home = Files.createDirectories(directory.resolve("trial"));
    told = new ToldLines(home);
  }

  /** What its programs run in. */
  Path home() {
    return home;
  }

  /** Does something to a run. */
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

  /** Runs a program that meets its fault as it starts. */
  void run(List<String> line) throws Exception {
    acts();
    awaitEnd(start(line));
  }

  /** Runs {@code amb}, which meets its fault as it starts. */
  void run(String command) throws Exception {
    run(AmbProcess.line(command));
  }

  /** Runs {@code amb} with a fault that it does to itself in step 11. */
  void injected(String command) throws Exception {
    during(command, amb -> {});
  }

  /** Runs {@code amb}, and does something to it after step 10. */
  void during(String command, Action action) throws Exception {
    during(AmbProcess.line(command), action);
  }

  /** Runs a program, and does something to it after step 10. */
  void during(List<String> line, Action action) throws Exception {
    AmbProcess amb = start(line);
    amb.awaitSteps(FAULT_STEP);
    acts();
    action.on(amb);
    awaitEnd(amb);
  }

  /** Runs {@code amb} to its end; nothing is to be noticed meanwhile. */
  void complete(String command) throws Exception {
    complete(AmbProcess.line(command));
  }

  /** Runs a program to its end; nothing is to be noticed meanwhile. */
  void complete(List<String> line) throws Exception {
    awaitEnd(start(line));
    assertEquals(0, code);
  }

  /** A run that has to do with no fault, in a directory of its own. */
  RunDirectory aside(String command) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve("aside"), command);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run();
  }

  /** From now on the fault is there. */
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

  /** Waits until a line is said. */
  void awaitLine(AmbProcess amb, String part) throws Exception {
    awaitLines(amb, part, 1);
  }

  /** Waits until so many lines are said. */
  void awaitLines(AmbProcess amb, String part, int count) throws Exception {
    amb.awaitWhileRunning(
        () -> told.lines().stream().filter(line -> line.text().contains(part)).count() >= count,
        part);
  }

  /** A line of the trial's own. */
  void note(String line) {
    notes.add(line);
  }

  /** The exit code that counts. */
  int code() {
    return code;
  }

  /** Its first program's only run. */
  RunDirectory run() throws IOException {
    return started.get(0).run();
  }

  /** Takes the run up. */
  void resume(String options) throws Exception {
    resume(options, amb -> {});
  }

  /** Takes the run up, and does something to it meanwhile. */
  void resume(String options, Action action) throws Exception {
    AmbProcess amb = start("train --resume %s %s".formatted(run().path(), options).strip());
    action.on(amb);
    awaitEnd(amb);
  }

  /** The run has ended with the bits of one of a command to which nothing happened. */
  void assertSameBits(String command) throws Exception {
    assertEquals(0, code, FailureReport.logs(home));
    String whole = WHOLE.get(command);
    if (whole == null) {
      whole = sha256(AmbProcess.run(directory.resolve("whole"), command).run());
      WHOLE.put(command, whole);
    }
    assertEquals(whole, sha256(run()), FailureReport.logs(home));
    note("the same final bits");
  }

  /** SHA-256 of the final parameters of a run that has ended. */
  static String sha256(RunDirectory run) throws IOException {
    return run.read().ending().parametersSha256();
  }

  /** The newest checkpoint is that of at most so many steps before the last one on record. */
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

  /** The first line that has what is expected; nothing if none has. */
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

  /** The last line and {@code run.json} say the same of how the run ended, if it could say so. */
  void assertEnding() throws IOException {
    if (Files.isDirectory(home.resolve("runs")) && run().read().ending() != null) {
      RunInfo.Ending ending = run().read().ending();
      List<String> said = started.get(started.size() - 1).stderr();
      String last = said.isEmpty() ? "" : said.get(said.size() - 1);
      assertEquals(code, ending.exitCode());
      assertTrue(code == 0 || last.startsWith("amb: " + ending.cause() + "; "), last);
    }
  }

  /**
   * Seconds from the fault until something was said of it, or the run failed; negative if never.
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

  /** What each change of the run's workers has cost, as {@code amb summarize} says. */
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

  /** The time that the longest step after the first has taken, in seconds. */
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

  /** Updates on record. */
  List<StepRecord> steps() throws IOException {
    return steps(run());
  }

  private static List<StepRecord> steps(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(StepRecord.class::cast)
        .toList();
  }

  @Override
  public void close() {
    started.forEach(AmbProcess::close);
    told.close();
  }
}
