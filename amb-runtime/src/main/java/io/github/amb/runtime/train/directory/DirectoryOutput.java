package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.CHECKPOINT_EVERY;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.CHECKPOINT_KEEP;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.RESUME;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RecordSink;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.CheckpointInterval;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The files of a run directory. */
record DirectoryOutput(RunDirectory directory) implements RunOutput {
  @Override
  public RecordSink records(RunParts run, Disk disk, Consumer<String> warnings) throws IOException {
    return run.settings().has(RESUME)
        ? RecordLog.append(directory, disk, warnings)
        : RecordLog.create(directory, disk, warnings);
  }

  @Override
  public PrintStream console(int rank, boolean live) throws IOException {
    Path file = directory.console(rank);
    OutputStream out = live ? appending(file) : new RankLogFile(file);
    return new PrintStream(out, live, StandardCharsets.UTF_8);
  }

  private static OutputStream appending(Path file) throws IOException {
    return Files.newOutputStream(
        BoundedFile.expectFileToWrite(file),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void begin(Map<String, String> facts, float[] parameters) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(RunProvenance.threads());
    RunWriter.addEnvironment(directory, all);
  }

  @Override
  public Consumer<LogRecord> watch() {
    return new DirectoryWatch(directory);
  }

  @Override
  public Optional<RunCheckpoints> checkpoints(
      RunParts run, Layout layout, LastStep last, Disk disk, Consumer<String> warnings)
      throws IOException {
    Origin origin = new Origin(layout.size(), RunIdentity.of(directory.read()));
    RunCheckpoints checkpoints =
        new RunCheckpoints(
            new CheckpointDirectory(directory.checkpoints(), origin, disk),
            CheckpointInterval.parse(run.settings().get(CHECKPOINT_EVERY)),
            run.settings().get(CHECKPOINT_KEEP),
            layout,
            last,
            disk,
            warnings);
    checkpoints.keepWhile(SeparateEvaluation.untested(run.settings(), directory));
    if (run.simulated()) {
      checkpoints.virtualTime();
    }
    return Optional.of(checkpoints);
  }
}
