package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("system")
class LateReplacementTest {
  @TempDir Path directory;

  /** A rank that others wait for in vain is killed after a while, and named in the outcome. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplacementThatComesTooLateIsEnded(boolean ready) throws Exception {
    LaunchPlan plan =
        LaunchPlan.local(
                3,
                List.of("-Xmx16m", "-XX:TieredStopAtLevel=1"),
                LateReplacementMain.class.getName(),
                List.of(directory.toString(), Boolean.toString(ready)),
                directory,
                line -> {})
            .surviving(new FailurePolicy(1, Duration.ofSeconds(60), Duration.ofSeconds(120), 1))
            .within(Duration.ofMinutes(3));
    assertEquals(new RunOutcome(0, ""), Launcher.run(plan));
  }
}
