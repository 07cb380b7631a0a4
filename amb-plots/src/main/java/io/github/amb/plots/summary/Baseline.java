package io.github.amb.plots.summary;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunLabels;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The run that others are compared with. */
final class Baseline {
  /** What makes a comparison of times one of methods. */
  private static final List<String> PROBLEM = List.of("data-set", "network");

  private Baseline() {}

  /**
   * Whether a speed-up says something: both times are real or both virtual, data set and network
   * are the same, as far as is known, and the runs do not differ in testing alone.
   */
  static boolean isComparable(Run run, Run baseline) {
    boolean data =
        run.info().data().isEmpty()
            || baseline.info().data().isEmpty()
            || run.info().data().equals(baseline.info().data());
    return data
        && !RunLabels.differInTestsAlone(run, baseline)
        && run.isVirtual() == baseline.isVirtual()
        && PROBLEM.stream()
            .allMatch(
                option -> {
                  String own = run.info().configured(option, "");
                  String other = baseline.info().configured(option, "");
                  return own.isEmpty() || other.isEmpty() || own.equals(other);
                });
  }

  /**
   * Index of the first run that fits best: by its label, its directory, its scheme, or a part of
   * its label.
   *
   * @throws UsageException if none fits, or if runs fit that differ in more than their seed
   */
  static int find(String wanted, List<Run> runs, List<String> labels, List<RunGroup> seeds) {
    List<IntPredicate> ways =
        List.of(
            i -> labels.get(i).equals(wanted),
            i -> runs.get(i).id().equals(wanted),
            i -> runs.get(i).directory().path().toString().equals(wanted),
            i -> runs.get(i).info().configured("scheme", "").equals(wanted),
            i -> labels.get(i).contains(wanted));
    for (IntPredicate way : ways) {
      List<Integer> found = IntStream.range(0, runs.size()).filter(way).boxed().toList();
      boolean one =
          seeds.stream()
              .anyMatch(group -> found.stream().map(runs::get).allMatch(group.runs()::contains));
      if (!found.isEmpty() && one) {
        return found.get(0);
      }
      if (!found.isEmpty()) {
        throw new UsageException(
            "--baseline: expected one run, or some that differ only in seed, found %s for '%s': %s",
            found.size(), wanted, String.join("; ", found.stream().map(labels::get).toList()));
      }
    }
    throw new UsageException(
        "--baseline: expected a label, directory or scheme of one of the runs, found '%s'; there are: %s",
        wanted, String.join("; ", labels));
  }
}
