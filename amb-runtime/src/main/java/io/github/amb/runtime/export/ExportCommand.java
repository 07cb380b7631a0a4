package io.github.amb.runtime.export;

import io.github.amb.core.command.NamedCommand;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.Printable;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.RunIdentity;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code amb export RUN}: writes the parameters of one of a run's checkpoints. */
public final class ExportCommand extends NamedCommand {
  private static final String LAST = "last";
  private static final String BEST = "best";
  private static final Options OPTIONS =
      new Options()
          .addOption(Option.builder().longOpt("format").hasArg().get())
          .addOption(Option.builder().longOpt("checkpoint").hasArg().get())
          .addOption(Option.builder().longOpt("output").hasArg().get())
          .addOption(Option.builder("h").longOpt("help").get());

  /** Prints to standard output. */
  public ExportCommand() {
    super("export", "write a run's parameters for other programs: npz, safetensors, dl4j");
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    CommandLine line = parse(arguments);
    if (line.hasOption("help")) {
      System.out.print(help());
      return 0;
    }
    if (line.getArgList().size() != 1) {
      throw new UsageException("amb export: expected one RUN, found " + line.getArgList());
    }
    RunDirectory run = new RunDirectory(Path.of(line.getArgList().get(0)));
    ExportFormats.Entry format =
        ExportFormats.ALL.named(line.getOptionValue("format", "safetensors"));
    RunInfo info = RunOptions.info("", run);
    Checkpoint checkpoint = checkpoint(run, info, line.getOptionValue("checkpoint", LAST));
    // Not the name in run.json, which may be a path to anywhere.
    Path name = run.path().toAbsolutePath().normalize().getFileName();
    String usual = name + "-step-" + checkpoint.step() + "." + format.ending();
    Path file = Path.of(line.getOptionValue("output", usual));
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UsageException("--output: expected a new file, found the existing " + file);
    }
    Path parent = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(parent)) {
      throw new UsageException(
          "--output: expected a file in an existing directory, found no directory " + parent);
    }
    RunDirectory around = around(parent.toRealPath());
    RunLock lock = around == null ? null : RunLock.training(around);
    try {
      format.writer().write(info, checkpoint, file);
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
    System.out.println(file);
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

  private static CommandLine parse(List<String> arguments) {
    try {
      return new DefaultParser(false).parse(OPTIONS, arguments.toArray(String[]::new));
    } catch (ParseException e) {
      throw new UsageException("amb export: " + e.getMessage() + "; see amb export --help");
    }
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
        return last(all, info.ending());
      }
      if (which.equals(BEST)) {
        return all.best().orElseThrow(() -> new IOException("the run tested no parameters"));
      }
      if (which.matches("\\d{1,18}")) {
        return all.open(Long.parseLong(which));
      }
      throw new UsageException(
          "--checkpoint: expected last, best or a step, found '" + which + "'");
    } catch (IOException e) {
      throw new UsageException("no checkpoint '%s': %s".formatted(which, e.getMessage()));
    }
  }

  /** The newest checkpoint. In a complete run it must have the parameters that run.json names. */
  private static Checkpoint last(CheckpointDirectory all, RunInfo.Ending ending)
      throws IOException {
    Checkpoint newest =
        all.latest(warning -> System.err.println("amb: " + Printable.printable(warning)))
            .orElseThrow(() -> new IOException("the run has none"));
    boolean done = ending != null && ending.exitCode() == 0;
    if (done && !newest.parametersSha256().equals(ending.parametersSha256())) {
      throw new IOException(
          "expected the parameters that run.json names, of step %d with SHA-256 %s, found those of step %d with %s; --checkpoint %d exports these"
              .formatted(
                  ending.steps(),
                  ending.parametersSha256(),
                  newest.step(),
                  newest.parametersSha256(),
                  newest.step()));
    }
    return newest;
  }

  private static String help() {
    StringBuilder help = new StringBuilder();
    help.append("usage: amb export RUN [--format FORMAT] [--checkpoint WHICH] [--output FILE]\n\n");
    ExportFormats.ALL
        .all()
        .forEach(f -> help.append("  %-12s %s%n".formatted(f.name(), f.summary())));
    return help.append("\n  --format      default safetensors\n")
        .append("  --checkpoint  last (default), best, or a step that was kept\n")
        .append("  --output      a new file; default RUN-step-N.ENDING here\n")
        .toString();
  }
}
