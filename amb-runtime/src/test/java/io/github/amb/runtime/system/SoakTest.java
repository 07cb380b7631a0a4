package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers are killed at random instants and replaced, for {@code -Damb.soak.seconds=N} seconds: 60
 * for the page of the fault matrix, which has the result, and 15 in the lab tier.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class SoakTest {
  private static final int SECONDS =
      Integer.getInteger("amb.soak.seconds", MatrixTest.WHOLE ? 60 : 15);
  private static final long MIN_MILLIS = 500;
  private static final int MAX_MILLIS = 5000;

  /** Files and threads that may exist for a moment, or that Java starts late. */
  private static final long SLACK = 30;

  @TempDir Path directory;

  /** Resources of the master. */
  private record Held(long files, long threads) {
    static Held by(ProcessHandle master) throws IOException {
      return new Held(count(master, "fd"), count(master, "task"));
    }

    private static long count(ProcessHandle master, String what) throws IOException {
      try (Stream<Path> all = Files.list(Path.of("/proc/" + master.pid() + "/" + what))) {
        return all.count();
      }
    }
  }

  @Test
  void replacedWorkersCostTheMasterNothing() throws Exception {
    try (Trial trial = new Trial(directory)) {
      AmbProcess amb =
          trial.start(Trial.TOY + "--max-time 90000 --respawn 1000000 --checkpoint-every 10s");
      amb.awaitSteps(Trial.FAULT_STEP);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      Random random = new Random(1);
      Held first = null;
      Held last = null;
      int kills = 0;
      while (first == null || System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(MIN_MILLIS + random.nextInt(MAX_MILLIS));
        amb.rank(1 + random.nextInt(3)).destroyForcibly();
        kills++;
        trial.awaitLines(amb, "joins; continuing with 3 workers", kills);
        last = Held.by(amb.rank(0));
        first = first == null ? last : first;
      }
      amb.awaitSteps((int) amb.steps() + 5);
      amb.terminate();
      trial.awaitEnd(amb);
      assertEquals(130, trial.code());
      write(trial, kills, first, last);
      assertTrue(last.files() <= first.files() + SLACK, first + " " + last);
      assertTrue(last.threads() <= first.threads() + SLACK, first + " " + last);
    }
  }

  private static void write(Trial trial, int kills, Held first, Held last) throws IOException {
    List<?> records = trial.run().masterRecords();
    String text =
        """
        Workers were killed at random instants for %d s, and replaced: %d kills, %d steps, %d changes of the workers; each kill was followed by a replacement.
        The master had %d open files and %d threads after the first replacement, %d and %d after the last one.
        Seconds and examples lost by each change: %s."""
            .formatted(
                SECONDS,
                kills,
                records.stream().filter(StepRecord.class::isInstance).count(),
                records.stream().filter(MembershipRecord.class::isInstance).count(),
                first.files(),
                first.threads(),
                last.files(),
                last.threads(),
                trial.lost());
    FaultTable.write("soak", Map.of("observed", text));
    FaultTable.writePage();
  }
}
