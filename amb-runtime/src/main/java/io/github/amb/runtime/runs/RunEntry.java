package io.github.amb.runtime.runs;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * What a list says of a run.
 *
 * @param directory where it is
 * @param info {@code run.json}; null if that cannot be read
 * @param state what it is at: training, done, diverged, stopped, failed, killed or unreadable
 * @param step the newest update; null if there is none
 * @param test the newest test near the end of its log; null if there is none
 */
record RunEntry(
    RunDirectory directory, RunInfo info, String state, StepRecord step, EvaluationRecord test) {
  private static final String NONE = "–";

  /** Looks at a run's {@code run.json} and at the end of its log. */
  static RunEntry of(RunDirectory run) {
    try {
      RunInfo info = run.read();
      return new RunEntry(run, info, state(run, info), run.lastStep(), run.lastEvaluation());
    } catch (IOException | UsageException e) {
      return new RunEntry(run, null, "unreadable", null, null);
    }
  }

  private static String state(RunDirectory run, RunInfo info) {
    return info.ending() != null
        ? info.state().toString()
        : RunLock.isHeld(run) ? "training" : "killed";
  }

  /** The name of its directory. */
  String name() {
    return Printable.printable(directory.path().getFileName().toString());
  }

  /** The value of an option, or a dash. */
  String configured(String option) {
    return info == null ? NONE : Printable.printable(info.configured(option, NONE));
  }

  /** Tags, which are separated by commas. */
  List<String> tags() {
    return info == null ? List.of() : List.of(info.configured("tag", "").split(","));
  }

  String started() {
    String started = info == null ? null : info.started();
    return started == null
        ? NONE
        : Printable.printable(started).replaceFirst("T(\\d\\d:\\d\\d).*", " $1");
  }

  String steps() {
    return step == null ? NONE : Long.toString(step.step());
  }

  String seconds() {
    return step == null ? NONE : format("%.1f", step.time());
  }

  String accuracy() {
    return test == null ? NONE : number(test.accuracy());
  }

  String loss() {
    return test == null ? NONE : number(test.testLoss());
  }

  private static String number(double value) {
    return Double.isFinite(value) ? format("%.4f", value) : NONE;
  }

  String note() {
    return info == null
        ? ""
        : Objects.toString(Printable.printable(info.configured("note", ""))).replace('\n', ' ');
  }
}
