package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Takes back what a run has logged after a step, when it is taken up from there. */
public final class LogTruncation {
  private static final ObjectReader JSON = RunDirectory.JSON.readerFor(LogRecord.class);

  private LogTruncation() {}

  /** Removes all records of steps after {@code step}, and a last line without its end. */
  public static void after(RunDirectory run, long step) throws IOException {
    if (Files.exists(run.masterLog())) {
      truncate(run.masterLog(), step);
    }
    for (int rank : run.workers()) {
      truncate(run.workerLog(rank), step);
    }
  }

  private static void truncate(Path log, long step) throws IOException {
    String text = Files.readString(log);
    List<String> kept = new ArrayList<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      if (step(JSON.readValue(line)) <= step) {
        kept.add(line);
      }
    }
    Path temporary = log.resolveSibling(log.getFileName() + ".tmp");
    Files.write(temporary, kept);
    Files.move(temporary, log, StandardCopyOption.ATOMIC_MOVE);
  }

  private static long step(LogRecord record) {
    if (record instanceof StepRecord step) {
      return step.step();
    }
    if (record instanceof WorkerRecord worker) {
      return worker.masterStep();
    }
    if (record instanceof CollectRecord collected) {
      return collected.step();
    }
    if (record instanceof EvaluationRecord evaluation) {
      return evaluation.step();
    }
    if (record instanceof MembershipRecord membership) {
      return membership.step();
    }
    return ((DropRecord) record).step();
  }
}
