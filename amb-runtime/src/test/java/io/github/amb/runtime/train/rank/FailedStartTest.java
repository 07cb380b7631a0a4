package io.github.amb.runtime.train.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.file.Disk;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordSink;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.train.directory.MemoryOutput;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FailedStartTest {
  @Test
  void aFailedStartLeavesNoEvaluator() throws InterruptedException {
    var settings = CommandLine.parse(List.of("toy", "fmb", "rms", "16", "--workers=0")).settings();
    RunParts run = RunParts.of(settings);
    PrintStream console = new PrintStream(OutputStream.nullOutputStream());
    Set<Thread> before = evaluators();
    TrainRank rank = new TrainRank(run, 0, new SystemClock(), console);
    var failure = assertThrows(IOException.class, () -> rank.local(new FullOutput(), now -> {}));
    assertEquals("no space left", failure.getMessage());
    Set<Thread> left = evaluators();
    left.removeAll(before);
    for (Thread thread : left) {
      thread.join(TimeUnit.SECONDS.toMillis(60)); // One that ends may not have ended yet.
    }
    left.removeIf(thread -> !thread.isAlive());
    assertEquals(Set.of(), left);
  }

  private static Set<Thread> evaluators() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(thread -> !thread.getName().equals("evaluator"));
    return found;
  }

  /** Cannot be written when training begins. */
  private static final class FullOutput implements RunOutput {
    @Override
    public void begin(Map<String, String> facts, float[] parameters) throws IOException {
      throw new IOException("no space left");
    }

    @Override
    public RecordSink records(RunParts run, Disk disk, Consumer<String> warnings) {
      return new MemoryOutput();
    }

    @Override
    public PrintStream console(int rank, boolean live) {
      throw new UnsupportedOperationException("the test has a console");
    }

    @Override
    public Consumer<LogRecord> watch() {
      return record -> {};
    }

    @Override
    public Optional<RunCheckpoints> checkpoints(
        RunParts run, Layout layout, LastStep last, Disk disk, Consumer<String> warnings) {
      return Optional.empty();
    }
  }
}
