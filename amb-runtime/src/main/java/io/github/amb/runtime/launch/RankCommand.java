package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.host.RemoteShell;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** The command line and environment of a rank. */
final class RankCommand implements AutoCloseable {
  /** Messages up to this many bytes are sent eagerly; more than any useful chunk. */
  private static final int EAGER_BYTES = 8 << 20;

  /** Environment variable that distinguishes a process of a rank from all others. */
  private static final String RANK = "AMB_RANK";

  /**
   * Names of variables by which libraries choose how they compute and where they allocate. A remote
   * shell does not pass them on, and ranks that choose differently compute other bits.
   */
  private static final Pattern COMPUTATION =
      Pattern.compile("(OPENBLAS|DNNL|ONEDNN|MKL|OMP|GLIBC)_.*");

  private final LaunchPlan plan;
  private final MpjHome home = new MpjHome();
  private final RunSecret secret;
  private final ControlServer control;
  private final Timeouts timeouts;
  private final String run = UUID.randomUUID().toString();

  /**
   * Creates the files that ranks need.
   *
   * @param plan what to start
   * @param secret the run's secret
   * @param control where the ranks report
   * @param timeouts limits of the launcher
   */
  RankCommand(LaunchPlan plan, RunSecret secret, ControlServer control, Timeouts timeouts)
      throws IOException {
    this.plan = plan;
    this.secret = secret;
    this.control = control;
    this.timeouts = timeouts;
  }

  /**
   * MPJ Express' configuration of a rank. It names no server, as ranks exchange their ports through
   * the launcher.
   */
  static String configuration(int ranks) {
    return "#Number of Processes;%s;#Protocol Switch Limit;%s;#Server Name;none;#Server Port;0"
        .formatted(ranks, EAGER_BYTES);
  }

  /** The start of a rank where it is placed. A replacement joins when it is ordered to. */
  RankStart of(RankId id, RankPlacement placement) {
    List<String> command = command(id, placement);
    Map<String, String> environment = environment(id);
    String line = plan.program().input() + "\n";
    if (!placement.isRemote(id.rank())) {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().putAll(environment);
      return new RankStart(builder, line, null);
    }
    RemoteShell shell = placement.shell();
    String host = placement.host(id.rank());
    Path directory = Path.of("").toAbsolutePath();
    List<String> arguments = command.subList(1, command.size());
    String script = RemoteShell.script(directory, environment, command.get(0), arguments);
    OrphanKiller remnants = new OrphanKiller(shell, host, RANK + "=" + environment.get(RANK));
    return new RankStart(shell.on(host), script + line, remnants);
  }

  private List<String> command(RankId id, RankPlacement placement) {
    int rank = id.rank();
    boolean remote = placement.isRemote(rank);
    List<String> command = new ArrayList<>(JvmCommand.start());
    command.add("-XX:MaxDirectMemorySize=1g");
    if (!remote) {
      command.add("-XX:ErrorFile=" + plan.logDirectory().resolve(RankLog.crashReport(rank)));
    }
    command.add("-D" + WorldLoader.JAR_PROPERTY + "=" + new File(WorldLoader.findJar().toString()));
    command.add("-D" + RunSecret.CHECK_PROPERTY + "=" + secret.proofOfRank(rank));
    command.add("-D" + RankControl.PROPERTY + "=" + id.number() + " " + control.place(remote));
    command.addAll(timeouts.ofRank());
    String address = placement.address(rank).getHostAddress();
    command.add("-D" + MpjEngine.ADDRESS_PROPERTY + "=" + address);
    if (remote) {
      long silence = plan.survival().stallAfter().toMillis();
      command.add("-D" + RankControl.SILENCE_PROPERTY + "=" + silence);
    }
    command.addAll(plan.program().jvmArguments());
    if (rank > 0) {
      command.addAll(plan.program().workerJvmArguments());
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(plan.program().mainClass());
    boolean first = id.number() == 0;
    String configuration = first ? configuration(plan.ranks()) : LaunchedMembership.STANDBY;
    command.addAll(List.of(Integer.toString(rank), configuration, "niodev"));
    command.addAll(plan.program().arguments());
    return command;
  }

  private Map<String, String> environment(RankId id) {
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().removeIf(name -> !COMPUTATION.matcher(name).matches());
    environment.put("OMP_NUM_THREADS", "1");
    environment.put("MPJ_HOME", home.path.toString());
    environment.put(RunSecret.VARIABLE, secret.text());
    environment.put(RANK, run + "/" + id.rank() + "/" + id.number());
    // As the driver's program, which the cards are checked by, numbers them.
    environment.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    environment.putAll(plan.program().environment().apply(id.rank()));
    return environment;
  }

  /** Removes the files that were created for the ranks. */
  @Override
  public void close() throws IOException {
    home.close();
  }
}
