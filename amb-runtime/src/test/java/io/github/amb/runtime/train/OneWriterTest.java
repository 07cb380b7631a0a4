package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.evaluate.EvaluateCommand;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.runs.ExportCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A second process that wants to write to a run is rejected. */
class OneWriterTest extends VirtualRuns {
  private RunDirectory run;

  @BeforeEach
  void train() throws IOException {
    run = train("run", "toy fmb rms 16 --last-step 4 --checkpoint-every 2" + SMALL);
  }

  /** All files with their bytes, and links with their targets. */
  static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.toList()) {
        String name = directory.relativize(file).toString();
        if (Files.isSymbolicLink(file)) {
          files.put(name, "-> " + Files.readSymbolicLink(file));
        } else if (Files.isRegularFile(file)) {
          files.put(name, java.util.Arrays.hashCode(Files.readAllBytes(file)) + "");
        } else {
          files.put(name, "directory");
        }
      }
    }
    return files;
  }

  private void assertRejected(Executable command) throws IOException {
    Map<String, String> before = files(directory);
    String message = assertThrows(UsageException.class, command).getMessage();
    String holder = "found process " + ProcessHandle.current().pid() + " of host ";
    assertTrue(message.contains(holder), message);
    assertEquals(before, files(directory));
  }

  @Test
  void aSecondResumeChangesNothing() throws IOException {
    try (RunLock lock = RunLock.training(run)) {
      assertEquals(run, lock.run());
      assertRejected(() -> resume("run", "--last-step 6"));
    }
    assertEquals(6, resume("run", "--last-step 6").read().ending().steps());
  }

  @Test
  void aSecondEvaluatorChangesNothing() throws Exception {
    List<String> evaluate = List.of(run.path().toString());
    try (RunLock lock = RunLock.evaluating(run, Duration.ZERO)) {
      assertEquals(run, lock.run());
      assertRejected(() -> new EvaluateCommand().run(evaluate));
    }
  }

  @Test
  void anEvaluatorWorksBesideTraining() throws Exception {
    try (RunLock lock = RunLock.training(run)) {
      assertEquals(0, new EvaluateCommand().run(List.of(lock.run().path().toString())));
    }
  }

  @Test
  void anExportIntoARunInUseIsRejected() throws Exception {
    Path inside = run.checkpoints().resolve("x.npz");
    try (RunLock lock = RunLock.training(run)) {
      assertEquals(run, lock.run());
      assertRejected(() -> export(inside));
      assertEquals(0, export(directory.resolve("elsewhere.npz")));
    }
    assertEquals(0, export(inside));
  }

  private int export(Path file) throws Exception {
    return new ExportCommand()
        .run(List.of(run.path().toString(), "--format", "npz", "--output", file.toString()));
  }

  @Test
  void aRunThatEndsLetsGo() {
    RunLock.training(run).close();
  }
}
