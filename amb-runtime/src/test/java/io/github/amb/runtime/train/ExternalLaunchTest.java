package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.RankSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExternalLaunchTest {
  private static Settings withTwoWorkers(String options) {
    List<String> words = List.of(("toy fmb rms 16" + options).split(" "));
    return ExternalLaunch.withWorkers(CommandLine.parse(words).settings(), 2);
  }

  @Test
  void theLaunchersRanksDecideTheNumberOfWorkers() {
    assertEquals(2, withTwoWorkers("").get(RankSettings.WORKERS));
    assertEquals(2, withTwoWorkers(" --workers 2").get(RankSettings.WORKERS));
  }

  /** The hosts were ignored. */
  @Test
  void optionsThatPlaceRanksAreRejectedTogether() {
    String options = " --workers 3 --hosts file --remote-shell rsh --bind 10.0.0.1";
    UsageException e = assertThrows(UsageException.class, () -> withTwoWorkers(options));
    String started =
        "expected none, as another launcher has started the ranks, found %s; use scripts/amb train …";
    List<String> problems =
        List.of(
            "--workers: expected 2 for 3 ranks, found 3",
            "--hosts: " + started.formatted("file"),
            "--remote-shell: " + started.formatted("rsh"),
            "--bind: " + started.formatted("10.0.0.1"));
    assertEquals(problems, e.getMessage().lines().toList());
  }

  /** One rank could find the run before its master has made it, and another one after. */
  @Test
  void ranksDoNotLookForARunToResume() {
    List<String> words = List.of("toy fmb rms 16 --resume auto --run-directory x".split(" "));
    assertThrows(UsageException.class, () -> ExternalLaunch.settings(words));
  }
}
