package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.CHECKPOINT_EVERY;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.CHECKPOINT_KEEP;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.RESUME;
import static io.github.amb.runtime.config.TrainSettings.EVALUATOR;
import static io.github.amb.runtime.config.TrainSettings.PROCESS;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Reading;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RecordSink;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.fault.Injected;
import io.github.amb.runtime.train.part.RunParts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The files of a run directory. */
record DirectoryOutput(RunDirectory directory) implements RunOutput {
  private static final int BUFFER_BYTES = 2048;
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Override
  public RecordSink records(RunParts run, Disk disk, Consumer<String> warnings) throws IOException {
    boolean resumed = run.settings().has(RESUME);
    StandardOpenOption how = resumed ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW;
    return new RecordLog(directory, how, disk, warnings);
  }

  @Override
  public PrintStream console(int rank, boolean live) throws IOException {
    Path file = directory.console(rank);
    OutputStream out =
        live
            ? BoundedFile.append(file)
            : new BufferedOutputStream(
                new Reopened(BoundedFile.expectFileToWrite(file)), BUFFER_BYTES);
    return new PrintStream(out, live, StandardCharsets.UTF_8);
  }

  /**
   * A file that is open only during a write, as there may be more virtual ranks than a process may
   * open files.
   */
  private static final class Reopened extends OutputStream {
    private final Path file;

    Reopened(Path file) {
      this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try (OutputStream out = BoundedFile.append(file)) {
        out.write(bytes, offset, length);
      }
    }
  }

  @Override
  public Consumer<Injected> faults() {
    return occurrence -> occurrence.append(directory.faults());
  }

  @Override
  public void begin(Map<String, String> facts, float[] parameters) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(RunProvenance.threads());
    RunWriter.addEnvironment(directory, all);
  }

  /**
   * Ends training soon after the run's directory was removed. The log files are open, so writing to
   * them does not fail; without this check all records would be lost unnoticed.
   */
  @Override
  public Consumer<LogRecord> watch() {
    AtomicLong next = new AtomicLong(System.nanoTime());
    return record -> {
      long now = System.nanoTime();
      if (record instanceof StepRecord && now - next.get() >= 0) {
        next.set(now + EVERY_NANOS);
        if (Files.notExists(directory.info())) {
          throw new RemovedRunException(directory.path());
        }
      }
    };
  }

  @Override
  public Optional<RunCheckpoints> checkpoints(
      RunParts run, Layout layout, LastStep last, Disk disk, Consumer<String> warnings)
      throws IOException {
    Origin origin = new Origin(layout.size(), RunIdentity.of(directory.read()));
    Settings settings = run.settings();
    boolean tests = settings.get(EVALUATOR).equals(PROCESS);
    return Optional.of(
        new RunCheckpoints(
            new CheckpointDirectory(directory.checkpoints(), origin, disk),
            Interval.parse(settings.get(CHECKPOINT_EVERY)),
            settings.get(CHECKPOINT_KEEP),
            step -> tests && !isTested(step),
            run.simulated(),
            layout,
            last,
            warnings));
  }

  /** Whether the process that tests checkpoints has tested that of a step. */
  private boolean isTested(long step) {
    return Reading.orElse(List.<LogRecord>of(), directory::evaluatorRecords).stream()
        .anyMatch(record -> record instanceof EvaluationRecord tested && tested.step() == step);
  }
}
