package io.github.amb.runtime.experiment;

import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.experiment.ExperimentRuns.Started;
import io.github.amb.runtime.launch.JvmCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * This program once more, in a process of its own that ends when this one does.
 *
 * @param heap of its Java, as {@code 4g}
 * @param cores that its Java takes the machine to have
 */
record ProgramProcess(String heap, int cores) {
  /**
   * Starts it.
   *
   * @param arguments what comes after {@code amb}
   * @param log receives all that it prints, after what is there
   */
  Started start(List<String> arguments, Path log) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(PluginLoader.option());
    return Started.alone(JvmCommand.startProgram(options(), all, log));
  }

  /** Starts a program that makes one run after the other. */
  Process startLoop() throws IOException {
    return JvmCommand.startLoop(options(), PluginLoader.option());
  }

  private List<String> options() {
    List<String> options =
        new ArrayList<>(List.of("-Xmx" + heap, "-XX:ActiveProcessorCount=" + cores));
    if (System.getProperty("amb.home") != null) {
      options.add("-Damb.home=" + System.getProperty("amb.home"));
    }
    return options;
  }

  /** The last line of a log that is not empty, or why there is none. */
  static String lastLine(Path log) {
    try {
      String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.isBlank()).reduce((a, b) -> b).orElse("no output");
    } catch (IOException e) {
      return "no output: " + e.getMessage();
    }
  }
}
