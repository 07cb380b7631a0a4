package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
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

/** Tests each of the rows of the fault matrix that a subclass has in its method {@code rows}. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class MatrixTest {
  @TempDir Path directory;

  @ParameterizedTest
  @MethodSource("rows")
  void endsAsExpected(FaultRow row) throws Exception {
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
