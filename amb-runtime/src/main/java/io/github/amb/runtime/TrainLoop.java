package io.github.amb.runtime;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.UncaughtFailures;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.command.Program;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Trains once for each line of standard input: a JSON array of the file that receives what the run
 * prints, and the words of {@code amb train}. The answer is a line {@code exit CODE}. Ends with its
 * input, also during a run.
 */
public final class TrainLoop {
  private TrainLoop() {}

  /** Trains until the end of its input; arguments are {@code --plugins}, if there are any. */
  public static void main(String[] arguments) throws Exception {
    Program.start();
    new UncaughtFailures(Amb::uncaught);
    PrintStream answers = System.out;
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Daemon.start("requests", () -> read(lines));
    PluginLoader.start(List.of(arguments));
    JsonMapper json = JsonMapper.builder().build();
    while (true) {
      String[] words = json.readValue(lines.take(), String[].class);
      List<String> command = new ArrayList<>(List.of(words).subList(1, words.length));
      command.addAll(1, PluginLoader.option());
      try (PrintStream log =
          new PrintStream(new FileOutputStream(words[0], true), true, StandardCharsets.UTF_8)) {
        System.setOut(log);
        System.setErr(log);
        int code = Amb.runLoaded(command);
        answers.println("exit " + code);
      }
    }
  }

  private static void read(BlockingQueue<String> lines) {
    try {
      var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The input has ended, too.
    }
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }
}
