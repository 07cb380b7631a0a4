package io.github.amb.runtime.experiment;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.experiment.ExperimentRuns.Started;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Programs that make one run after the other, as Java takes longer to start than many a run of the
 * virtual cluster. Safe to use from several threads.
 */
final class JvmPool implements AutoCloseable {
  /** What a program keeps by mistake is freed after so many runs. */
  private static final int MAX_RUNS = 200;

  private static final String ANSWER = "exit ";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ProgramProcess program;
  private final Deque<Jvm> idle = new ArrayDeque<>();

  JvmPool(ProgramProcess program) {
    this.program = program;
  }

  /** A program, and its number of runs. */
  private static final class Jvm {
    private final Process process;
    private final BufferedReader answers;
    private int runs;

    Jvm(Process process) {
      this.process = process;
      answers = process.inputReader(StandardCharsets.UTF_8);
    }
  }

  /** Begins a run, as {@link ProgramProcess#start}; a signal ends the program with the run. */
  Started start(List<String> arguments, Path log) throws IOException {
    Jvm jvm;
    synchronized (this) {
      jvm = idle.isEmpty() ? null : idle.pop();
    }
    if (jvm == null || !jvm.process.isAlive()) {
      jvm = new Jvm(program.startLoop());
    }
    List<String> line = new ArrayList<>(List.of(log.toString()));
    line.addAll(arguments);
    OutputStream out = jvm.process.getOutputStream();
    out.write((JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
    Jvm own = jvm;
    return new Started(jvm.process, () -> exitCode(own, log));
  }

  /** What the program prints beside its answer, as before it dies, is added to the run's log. */
  private int exitCode(Jvm jvm, Path log) throws IOException, InterruptedException {
    try {
      String line = jvm.answers.readLine();
      while (line != null && !line.startsWith(ANSWER)) {
        Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        line = jvm.answers.readLine();
      }
      if (line == null) {
        return jvm.process.waitFor();
      }
      int code = Integer.parseInt(line.substring(ANSWER.length()));
      returned(jvm, code);
      return code;
    } catch (IOException e) {
      jvm.process.destroyForcibly().waitFor();
      throw e;
    }
  }

  /** A program that a signal has reached ends soon. */
  private synchronized void returned(Jvm jvm, int code) {
    if (++jvm.runs < MAX_RUNS && code != ExitCode.STOPPED) {
      idle.push(jvm);
    } else {
      jvm.process.destroy();
    }
  }

  /** Ends all programs that make no run. */
  @Override
  public synchronized void close() {
    idle.forEach(jvm -> jvm.process.destroy());
    idle.clear();
  }
}
