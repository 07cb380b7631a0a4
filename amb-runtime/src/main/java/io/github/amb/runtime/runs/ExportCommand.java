package io.github.amb.runtime.runs;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.RunIdentity;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.part.InputChecksums;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.cli.Options;

/** {@code amb export RUN}: writes the parameters of one of a run's checkpoints. */
public final class ExportCommand extends OptionsCommand {
  private static final String LAST = "last";
  private static final String BEST = "best";
  private static final String FORMAT = "format";
  private static final String USUAL_FORMAT = "safetensors";

  /** Prints to standard output. */
  public ExportCommand() {
    super(
        System.out,
        "export",
        "RUN",
        "write a run's network for other programs: npz, safetensors, dl4j, onnx, pytorch");
  }

  @Override
  public Options options() {
    String formats =
        ExportFormats.ALL.all().stream()
            .map(format -> format.name() + " (" + format.summary() + ")")
            .collect(Collectors.joining(", "));
    return Arguments.options(
        """
        format FORMAT      %s; default %s
        checkpoint WHICH   last (default), best, or a step that was kept
        output FILE        a new file; default RUN-step-N.ENDING here
        """
            .formatted(formats, USUAL_FORMAT));
  }

  @Override
  public Map<String, List<String>> values() {
    return Map.of(FORMAT, ExportFormats.ALL.names());
  }

  @Override
  @SuppressWarnings("try") // The lock is held, not used.
  protected int run(Arguments given) throws IOException {
    RunDirectory run = RunDirectory.named(given.single("one run directory"));
    ExportFormats.Entry format = ExportFormats.ALL.named(given.value(FORMAT, USUAL_FORMAT));
    RunInfo info = RunOptions.info("", run);
    InputChecksums.expect(
        run.path().toString(), info, Networks.checksums(info.configured("network", "")));
    RunProvenance.changedPlugins(info).forEach(line -> System.err.println("amb: " + line));
    Checkpoint checkpoint = checkpoint(run, info, given.value("checkpoint", LAST));
    // Not the name in run.json, which may be a path to anywhere.
    Path name = run.path().toAbsolutePath().normalize().getFileName();
    String usual = name + "-step-" + checkpoint.step() + "." + format.ending();
    Path file = Path.of(given.value("output", usual));
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UsageException("--output: expected a new file, found the existing " + file);
    }
    Path parent = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(parent)) {
      throw new UsageException(
          "--output: expected a file in an existing directory, found no directory " + parent);
    }
    RunDirectory around = around(parent.toRealPath());
    try (RunLock lock = around == null ? null : RunLock.training(around)) {
      AtomicFile.DURABLE.create(file, part -> format.writer().write(info, checkpoint, part));
    }
    out.println(file);
    return 0;
  }

  /** The run that a directory belongs to, or null. */
  private static RunDirectory around(Path directory) {
    Path path = directory;
    while (path != null && !Files.exists(path.resolve("run.json"))) {
      path = path.getParent();
    }
    return path == null ? null : new RunDirectory(path);
  }

  /** Number of parameters of the run's network; unknown if run.json does not say it. */
  private static long parameters(RunInfo info) {
    try {
      return RunNetwork.of(info).parameters();
    } catch (UsageException e) {
      return Origin.UNKNOWN;
    }
  }

  private static Checkpoint checkpoint(RunDirectory run, RunInfo info, String which) {
    Origin origin = new Origin(parameters(info), RunIdentity.of(info));
    CheckpointDirectory all = new CheckpointDirectory(run.checkpoints(), origin);
    try {
      if (which.equals(LAST)) {
        return all.last(
                info.ending(), line -> System.err.println("amb: " + Printable.printable(line)))
            .orElseThrow(() -> new IOException("the run has none"));
      }
      if (which.equals(BEST)) {
        return all.best().orElseThrow(() -> new IOException("the run tested no parameters"));
      }
      if (which.matches("\\d{1,18}")) {
        return kept(all, Long.parseLong(which));
      }
      throw new UsageException(
          "--checkpoint: expected last, best or a step, found '" + which + "'");
    } catch (IOException e) {
      throw new UsageException("no checkpoint '%s': %s", which, e.getMessage());
    }
  }

  private static Checkpoint kept(CheckpointDirectory all, long step) throws IOException {
    List<Long> steps = all.steps();
    if (!steps.contains(step)) {
      throw new UsageException(
          "--checkpoint: expected last, best or a step of %s, found %d", steps, step);
    }
    return all.open(step);
  }
}
