package io.github.amb.runtime.doctor;

import io.github.amb.core.option.Setting;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Options;

/** {@code amb doctor}: one line per check; exit code 1 if a check failed. */
public final class DoctorCommand extends OptionsCommand {
  private static final Setting<Integer> WORKERS = Setting.integer("workers", 2, 0, 9999);

  private final CheckedMachine machine;

  /** Prints to standard output. */
  public DoctorCommand() {
    this(System.out, new CheckedMachine());
  }

  DoctorCommand(PrintStream out, CheckedMachine machine) {
    super(
        out,
        "doctor",
        "[DATA-SET...]",
        "check Java, MPJ Express, native code, memory, ports, disk and data sets of this machine");
    this.machine = machine;
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        data-dir DIR   where the files of the data sets are
        workers N      workers that the machine is to have room for
        runs-dir DIR   whose disk is to have room
        """);
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<Finding> findings = findings(given);
    findings.forEach(out::println);
    return findings.stream().anyMatch(f -> f.level() == Finding.Level.FAILED) ? ExitCode.FAILED : 0;
  }

  private List<Finding> findings(Arguments given) throws IOException {
    int workers = given.get(WORKERS);
    Checks checks = new Checks(machine);
    List<Finding> findings = new ArrayList<>();
    findings.add(checks.java());
    findings.add(checks.mpj());
    findings.add(checks.natives());
    machine.gpuBackend().ifPresent(backend -> findings.add(checks.gpus(backend)));
    findings.add(checks.openCl());
    findings.add(checks.cores(workers));
    findings.add(checks.memory(workers));
    findings.add(checks.fonts());
    findings.add(checks.ports());
    findings.add(checks.host());
    findings.add(checks.disk(Path.of(given.value("runs-dir", "runs")), workers));
    String directory = given.value("data-dir", null);
    for (String dataSet : given.positional()) {
      findings.add(Checks.data(dataSet, directory == null ? null : Path.of(directory)));
    }
    return findings;
  }
}
