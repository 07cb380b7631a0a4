package io.github.amb.runtime.runs;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.console.OutputSettings;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which runs are wanted: a word is part of the name, a tag or the state, {@code option=value} is
 * what the run was configured with. All have to fit.
 */
record RunFilter(List<String> conditions) implements Predicate<RunEntry> {
  RunFilter {
    for (String condition : conditions) {
      String option = condition.replaceFirst("=.*", "");
      if (condition.contains("=")
          && TrainSettings.ALL.stream().noneMatch(setting -> setting.name().equals(option))) {
        throw new UsageException(
            "--filter: expected a word, or OPTION=VALUE with an option of amb train, found '%s'",
            condition);
      }
    }
  }

  @Override
  public boolean test(RunEntry run) {
    return conditions.stream().allMatch(condition -> fits(run, condition));
  }

  private static boolean fits(RunEntry run, String condition) {
    int equals = condition.indexOf('=');
    if (equals > 0) {
      String option = condition.substring(0, equals);
      String value = condition.substring(equals + 1);
      return option.equals(OutputSettings.TAG.name())
          ? run.tags().contains(value)
          : run.configured(option).equals(value);
    }
    return run.name().contains(condition)
        || run.tags().contains(condition)
        || run.state().equals(condition);
  }
}
