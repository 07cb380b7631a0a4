package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Tests each of the rows of the fault matrix that a subclass has in its method {@code rows}: all of
 * them by {@code scripts/test --matrix}, in the lab tier those of a list.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class MatrixTest {
  /** Whether all rows are tested. */
  static final boolean WHOLE = Boolean.getBoolean("amb.matrix.alone");

  /**
   * Rows of the lab tier: one for each fault of the list of faults, and two more that take a
   * second. The others repeat what these do with another message, signal or moment, or what another
   * test of the system or lab tier does.
   */
  static final Set<String> IN_LAB =
      Set.of(
          "kill-computing",
          "kill-sending",
          "kill-all",
          "kill-below-minimum",
          "resume",
          "terminate",
          "stop-worker",
          "stop-and-continue",
          "pause-worker",
          "out-of-memory-at-start",
          "replacement",
          "lost-message",
          "corrupt-message",
          "nan-drop",
          "other-seed",
          "bad-option",
          "one-rank",
          "foreign-address",
          "missing-data",
          "truncated-data",
          "cut-network",
          "slow-lossy-link",
          "flipped-bits",
          "strangers-as-rank-2",
          "disk-full",
          "disk-full-for-a-while",
          "damaged-checkpoint",
          "slow-worker-amb",
          "slow-disk-killed",
          "kill-saving",
          "clock-jumps");

  @TempDir Path directory;

  @ParameterizedTest
  @MethodSource("rows")
  void endsAsExpected(FaultRow row) throws Exception {
    assumeTrue(WHOLE || IN_LAB.contains(row.name()), "a row of scripts/test --matrix alone");
    try (Trial trial = new Trial(directory)) {
      boolean expected = false;
      boolean tried = true;
      try {
        row.trial().in(trial);
        assertEquals(row.code(), trial.code());
        assertTrue(trial.said(row.said()).isPresent(), () -> "expected " + row.said());
        trial.assertEnding();
        expected = true;
      } catch (TestAbortedException e) {
        System.err.println("fault " + row + " is not tried: " + e.getMessage());
        tried = false;
        FaultTable.forget(row);
        throw e;
      } finally {
        if (tried) {
          FaultTable.record(row, trial, expected);
        }
      }
    }
  }

  @AfterAll
  static void writePage() throws IOException {
    FaultTable.writePage();
  }
}
