package io.github.amb.runtime.launch;

import io.github.amb.models.python.PythonCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of every JVM of a run: this program's Java and the common options. */
public final class JvmCommand {
  /** System property: further options for every rank's JVM, separated by spaces. */
  private static final String OPTIONS = "amb.rank.jvm";

  private static final int QUIET_FLAGS_SINCE = 24;

  /** The class of {@code amb}. */
  private static final String PROGRAM = "io.github.amb.runtime.Amb";

  /** The class of a program that trains once for each line of its input. */
  private static final String LOOP = "io.github.amb.runtime.TrainLoop";

  /** The class of a rank that the launcher starts. */
  public static final String RANK = "io.github.amb.runtime.Train";

  private static final String WATCHED = "-D" + ParentWatch.PROPERTY + "=true";

  private JvmCommand() {}

  /** The program and options, to be followed by a class path, a class and its arguments. */
  public static List<String> start() {
    List<String> command = unwatched();
    command.add(WATCHED);
    return command;
  }

  private static List<String> unwatched() {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.add("-XX:+UseSerialGC");
    // A start runs much code a few times; compiling it costs half a second per process.
    command.add("-XX:CompileThresholdScaling=5");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Djdk.serialFilter=!*");
    command.add("-Dfile.encoding=UTF-8");
    command.add("-Dorg.bytedeco.javacpp.maxphysicalbytes=0");
    if (Runtime.version().feature() >= QUIET_FLAGS_SINCE) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(sharedClasses());
    String options = System.getProperty(OPTIONS, "").strip();
    if (!options.isEmpty()) {
      command.addAll(List.of(options.split("\\s+")));
    }
    return command;
  }

  /**
   * Starts {@code amb} in a process of its own, with one thread for computation, that ends when
   * this one does.
   *
   * @param options for Java
   * @param arguments what comes after {@code amb}
   * @param log receives all that it prints, after what is there
   */
  public static Process startProgram(List<String> options, List<String> arguments, Path log)
      throws IOException {
    List<String> command = start();
    command.addAll(options);
    ProcessBuilder builder = ofOneThread(command, PROGRAM, arguments);
    PythonCode.trust(builder.environment());
    return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
  }

  /**
   * Starts a program that trains once for each line of its standard input, and ends when this one
   * does. What it prints comes as one stream.
   *
   * @param options for Java
   * @param arguments those of the program
   */
  public static Process startLoop(List<String> options, List<String> arguments) throws IOException {
    List<String> command = unwatched(); // Its input has lines for it.
    command.addAll(options);
    return ofOneThread(command, LOOP, arguments).start();
  }

  /**
   * Starts {@code amb} once more, with this process's Java, options and output. It ends when this
   * one does.
   *
   * @param option a further one for Java
   * @param arguments what comes after {@code amb}
   */
  public static Process startProgram(String option, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of(option, WATCHED));
    return new ProcessBuilder(line(command, PROGRAM, arguments))
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A program whose output is one stream. */
  private static ProcessBuilder ofOneThread(
      List<String> command, String program, List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(line(command, program, arguments));
    builder.environment().put("OMP_NUM_THREADS", "1");
    return builder.redirectErrorStream(true);
  }

  private static List<String> line(List<String> java, String program, List<String> arguments) {
    List<String> line = new ArrayList<>(java);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
    line.addAll(arguments);
    return line;
  }

  /**
   * Options for the archive of loaded classes that scripts/build makes. Java checks whether the
   * archive fits.
   *
   * @return empty if there is no archive
   */
  public static List<String> sharedClasses() {
    Path archive = Path.of(System.getProperty("amb.home", ""), "lib", "amb.jsa");
    return Files.isRegularFile(archive)
        ? List.of(
            "-XX:SharedArchiveFile=" + archive.toAbsolutePath(),
            "-Xlog:cds=off",
            "-Xlog:cds+dynamic=off")
        : List.of();
  }
}
