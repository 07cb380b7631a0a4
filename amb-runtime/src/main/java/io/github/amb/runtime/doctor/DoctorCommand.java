package io.github.amb.runtime.doctor;

import io.github.amb.core.command.NamedCommand;
import io.github.amb.core.command.Setting;
import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code amb doctor}: one line per check; exit code 1 if a check failed. */
public final class DoctorCommand extends NamedCommand {
  private static final String HELP =
      """
      usage: amb doctor [DATA-SET] [--data-dir DIR] [--workers N] [--runs-dir DIR]

      Checks Java, MPJ Express, native code, GPUs (if built with CUDA), cores, memory, fonts, ports,
      the host's name, the disk and, if one is named, the files of a data set.
      Each line is ok, a warning or failed, and says what to do.
      The exit code is 0 unless a check failed.
      """;
  private static final Setting<Integer> WORKERS = Setting.integer("workers", 2, 0, 9999);
  private static final Options OPTIONS =
      new Options()
          .addOption(Option.builder().longOpt("data-dir").hasArg().get())
          .addOption(Option.builder().longOpt("workers").hasArg().get())
          .addOption(Option.builder().longOpt("runs-dir").hasArg().get())
          .addOption(Option.builder("h").longOpt("help").get());

  private final PrintStream out;
  private final CheckedMachine machine;

  /** Prints to standard output. */
  public DoctorCommand() {
    this(System.out, new CheckedMachine());
  }

  DoctorCommand(PrintStream out, CheckedMachine machine) {
    super("doctor", "check that this machine has what runs need");
    this.out = out;
    this.machine = machine;
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    CommandLine line = parse(arguments);
    if (line.hasOption("help")) {
      out.print(HELP);
      return 0;
    }
    List<Finding> findings = findings(line);
    findings.forEach(out::println);
    return findings.stream().anyMatch(f -> f.level() == Finding.Level.FAILED) ? 1 : 0;
  }

  private static CommandLine parse(List<String> arguments) {
    try {
      return new DefaultParser(false).parse(OPTIONS, arguments.toArray(String[]::new));
    } catch (ParseException e) {
      throw new UsageException("amb doctor: " + e.getMessage() + "; see amb doctor --help");
    }
  }

  private List<Finding> findings(CommandLine line) throws IOException {
    int workers = WORKERS.parse("--workers", line.getOptionValue("workers", WORKERS.usual()));
    Checks checks = new Checks(machine);
    List<Finding> findings = new ArrayList<>();
    findings.add(checks.java());
    findings.add(MpjCheck.mpj());
    findings.add(checks.natives());
    machine
        .gpuBackend()
        .ifPresent(backend -> findings.add(GpuCheck.gpus(backend, machine.gpuDriver())));
    findings.add(checks.cores(workers));
    findings.add(checks.memory(workers));
    findings.add(checks.fonts());
    findings.add(checks.ports());
    findings.add(checks.host());
    findings.add(checks.disk(Path.of(line.getOptionValue("runs-dir", "runs"))));
    String directory = line.getOptionValue("data-dir");
    for (String dataSet : line.getArgList()) {
      findings.add(DataCheck.data(dataSet, directory == null ? null : Path.of(directory)));
    }
    return findings;
  }
}
