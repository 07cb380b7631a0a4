package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.runtime.config.TrainSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which options of {@code amb train} are no difference between the seeds of an experiment. */
class RunOptionsTest {
  @Test
  void seedsAreOneGroupHoweverTheyAreRecorded() {
    Set<String> together =
        TrainSettings.ALL.stream()
            .map(Setting::name)
            .filter(RunOptionsTest::isOneGroup)
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> expected = new TreeSet<>(RunInfo.OPTIONS_WITHOUT_EFFECT);
    expected.addAll(
        Set.of("evaluate", "evaluate-every", "evaluator", "resume", "resume-from", "seed"));
    assertEquals(expected, together);
  }

  private static boolean isOneGroup(String option) {
    return RunGroup.of(LongStream.of(1, 2).mapToObj(seed -> run(option, seed)).toList()).size()
        == 1;
  }

  private static Run run(String option, long seed) {
    Map<String, Object> options = Map.of(option, "value " + seed);
    RunInfo info =
        new RunInfo(RunInfo.FORMAT, "", "", List.of(), options, seed, Map.of(), Map.of(), null);
    return new Run(new RunDirectory(Path.of("run-" + seed)), info, List.of(), List.of(), 1);
  }
}
