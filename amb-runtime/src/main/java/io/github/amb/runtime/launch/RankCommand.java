package io.github.amb.runtime.launch;

import io.github.amb.runtime.mpj.WorldLoader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The command line and environment of a rank. */
final class RankCommand {
  /** Messages up to this length go eagerly: longer than any chunk that is worth while. */
  private static final int EAGER_BYTES = 8 << 20;

  private static final int QUIET_FLAGS_SINCE = 24;
  private static final String CONF = "mpjexpress.conf";
  private static final String HOME = "mpj";

  private final LaunchPlan plan;
  private final String configuration;
  private final Path home;

  /** Makes a private MPJ_HOME in the log directory. */
  RankCommand(LaunchPlan plan, Rendezvous rendezvous) throws IOException {
    this.plan = plan;
    configuration = rendezvous.configuration(EAGER_BYTES);
    home = plan.logDirectory().resolve(HOME);
    Path conf = Files.createDirectories(home.resolve("conf")).resolve(CONF);
    try (InputStream in = RankCommand.class.getResourceAsStream(CONF)) {
      Files.copy(in, conf, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** How to start rank {@code rank}; standard input, output and error are pipes to the launcher. */
  ProcessBuilder of(int rank) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments());
    command.addAll(plan.jvmArguments());
    if (rank > 0) {
      command.addAll(plan.workerJvmArguments());
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), plan.mainClass()));
    command.addAll(List.of(Integer.toString(rank), configuration, "niodev"));
    command.addAll(plan.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().put("MPJ_HOME", home.toString());
    builder.environment().putAll(plan.environment());
    return builder;
  }

  private static List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-XX:+UseSerialGC");
    arguments.add("-XX:MaxDirectMemorySize=1g");
    arguments.add("-XX:+ExitOnOutOfMemoryError");
    arguments.add("-Dorg.bytedeco.javacpp.maxphysicalbytes=0");
    arguments.add("-D" + ParentWatch.PROPERTY + "=true");
    arguments.add(
        "-D" + WorldLoader.JAR_PROPERTY + "=" + new File(WorldLoader.findJar().toString()));
    if (Runtime.version().feature() >= QUIET_FLAGS_SINCE) {
      arguments.add("--enable-native-access=ALL-UNNAMED");
      arguments.add("--sun-misc-unsafe-memory-access=allow");
    }
    return arguments;
  }
}
