package io.github.amb.runtime.launch;

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
  /** Messages up to this length go eagerly: longer than any chunk that is worth while. */
  private static final int EAGER_BYTES = 8 << 20;

  /** Environment variable that tells a rank's process from all others. */
  private static final String RANK = "AMB_RANK";

  /**
   * How the variables begin by which libraries choose how they compute. A remote shell hands none
   * of them on, and ranks that choose otherwise get other bits.
   */
  private static final Pattern COMPUTATION = Pattern.compile("(OPENBLAS|DNNL|ONEDNN|MKL|OMP)_.*");

  private final LaunchPlan plan;
  private final String first;
  private final MpjHome home = new MpjHome();
  private final RunSecret secret;
  private final Lifelines lifelines;
  private final String run = UUID.randomUUID().toString();

  /**
   * Makes what ranks need.
   *
   * @param lifelines null if all ranks are on this host
   */
  RankCommand(LaunchPlan plan, Rendezvous rendezvous, RunSecret secret, Lifelines lifelines)
      throws IOException {
    this.plan = plan;
    this.secret = secret;
    this.lifelines = lifelines;
    first = configuration(rendezvous);
  }

  /** What the ranks of a world are told that meet at {@code rendezvous}. */
  static String configuration(Rendezvous rendezvous) {
    return rendezvous.configuration(EAGER_BYTES);
  }

  /** How to start a rank of the first world. */
  RankStart of(int rank) {
    return of(rank, first);
  }

  /** How to start a replacement, which joins when it is ordered to. */
  RankStart standby(int rank) {
    return of(rank, LaunchedMembership.STANDBY);
  }

  private RankStart of(int rank, String configuration) {
    List<String> command = command(rank, configuration);
    if (plan.placement().isRemote(rank)) {
      return remote(rank, command);
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment(rank));
    return new RankStart(builder, null);
  }

  private RankStart remote(int rank, List<String> command) {
    RemoteShell shell = plan.placement().shell();
    String host = plan.placement().of(rank).host();
    Map<String, String> environment = environment(rank);
    String script =
        RemoteShell.script(
            Path.of("").toAbsolutePath(),
            environment,
            command.get(0),
            command.subList(1, command.size()));
    Remnants remnants = new Remnants(shell, host, RANK + "=" + environment.get(RANK));
    return new RankStart(shell.on(host), new RankStart.Remote(host, script, lifelines, remnants));
  }

  private List<String> command(int rank, String configuration) {
    List<String> command = new ArrayList<>(JvmCommand.start());
    command.add("-XX:MaxDirectMemorySize=1g");
    if (!plan.placement().isRemote(rank)) {
      command.add("-XX:ErrorFile=" + plan.logDirectory().resolve(RankLog.crashReport(rank)));
    }
    command.add("-D" + WorldLoader.JAR_PROPERTY + "=" + new File(WorldLoader.findJar().toString()));
    command.add("-D" + RunSecret.CHECK_PROPERTY + "=" + secret.proofOfRank(rank));
    command.addAll(placed(rank));
    command.addAll(plan.jvmArguments());
    if (rank > 0) {
      command.addAll(plan.workerJvmArguments());
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), plan.mainClass()));
    command.addAll(List.of(Integer.toString(rank), configuration, "niodev"));
    command.addAll(plan.arguments());
    return command;
  }

  /** What a rank is told because there are several hosts. */
  private List<String> placed(int rank) {
    List<String> arguments = new ArrayList<>();
    Placement.Place place = plan.placement().of(rank);
    if (place != null) {
      arguments.add("-D" + MpjEngine.ADDRESS_PROPERTY + "=" + place.address().getHostAddress());
    }
    if (plan.placement().isRemote(rank)) {
      long silence = plan.survival().stallAfter().toMillis();
      arguments.add("-D" + Lifeline.PLACE_PROPERTY + "=" + lifelines.place());
      arguments.add("-D" + Lifeline.SILENCE_PROPERTY + "=" + silence);
    }
    return arguments;
  }

  private Map<String, String> environment(int rank) {
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().removeIf(name -> !COMPUTATION.matcher(name).matches());
    environment.put("OMP_NUM_THREADS", "1");
    environment.put("MPJ_HOME", home.path().toString());
    environment.put(RunSecret.VARIABLE, secret.text());
    environment.put(RANK, run + "/" + rank);
    environment.putAll(plan.environment());
    return environment;
  }

  /** Removes what was made for the ranks. */
  @Override
  public void close() throws IOException {
    home.close();
  }
}
