package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the page about Python run, with a Python that has what they import. */
@Tag("lab")
@Timeout(600)
class PythonPageTest {
  private static final Path PAGE = Path.of("../../docs/how-to/read-runs-in-python.md");
  private static final Path PACKAGE = Path.of("../../extras/python");
  private static final Pattern PROGRAM = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

  /** Those after a training; pip and what sends runs to other programs have tests of their own. */
  private static final Pattern COMMAND =
      Pattern.compile("scripts/amb ((?:summarize|export) [^`\n]*)");

  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");
  private static final int STEPS = 4;

  @TempDir static Path directory;

  @BeforeAll
  static void train() throws Exception {
    writeProgram();
    String options = " fmb adm 16 --network sigmoid-mlp --engine sim --workers 2 --evaluate last";
    amb("train digits" + options + " --last-step " + STEPS + " --run-directory runs/RUN");
    Files.writeString(directory.resolve("text.txt"), "to be or not to be, ".repeat(20));
    String text = "train text:text.txt,context=8 fmb adamw 4 --network gpt:2,4,16,8,bias";
    amb(text + " --engine sim --workers 1 --last-step 4 --run-directory runs/TEXT");
    amb("export runs/TEXT --format pytorch --output gpt");
    String page = Files.readString(PAGE);
    List<String> commands = COMMAND.matcher(page).results().map(found -> found.group(1)).toList();
    assertEquals(4, commands.size(), commands::toString);
    for (String command : commands) {
      amb(command);
    }
  }

  /** A home with the program of this class path. */
  private static void writeProgram() throws IOException {
    Path program = directory.resolve("bin/amb");
    Files.createDirectories(program.getParent());
    String line =
        "#!/bin/sh\nOMP_NUM_THREADS=1 exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
            + " -Damb.rank.jvm=-XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n";
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String path = System.getProperty("java.class.path");
    Files.writeString(program, line.formatted(java, path, Amb.class.getName()));
    assertTrue(program.toFile().setExecutable(true));
  }

  /** Runs a command as the page has it. */
  private static String amb(String command) throws Exception {
    return output(List.of("sh", "-c", "bin/amb " + command));
  }

  private static ProcessBuilder builder(List<String> line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().put("AMB_HOME", directory.toString());
    builder.environment().put("PYTHONPATH", PACKAGE.toRealPath().toString());
    return builder;
  }

  private static String output(List<String> line) throws IOException, InterruptedException {
    Path errors = directory.resolve("stderr");
    Process process = builder(line).redirectError(errors.toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said + Files.readString(errors));
    return said;
  }

  private static String python(String library) throws InterruptedException {
    for (String python : PYTHONS) {
      try {
        if (builder(List.of(python, "-c", "import " + library)).start().waitFor() == 0) {
          return python;
        }
      } catch (IOException e) {
        // There is no such program.
      }
    }
    System.err.println("SKIPPED: programs of " + PAGE + ", as no Python has " + library);
    assumeTrue(false, "no Python has " + library);
    return "";
  }

  /** Runs the page's programs of these runs that import a library, each followed by more lines. */
  private static List<String> run(String library, String then) throws Exception {
    String python = python(library);
    List<String> outputs = new ArrayList<>();
    for (String program :
        PROGRAM.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList()) {
      if (program.contains("import " + library)) {
        outputs.add(output(List.of(python, "-c", program + then)));
      }
    }
    return outputs;
  }

  /** The published times are 333 s and 209 s; the authors' server waits up to 0.5 s for others. */
  @Test
  void thePackageFollowsARunAndReproducesPublishedTimes() throws Exception {
    List<String> outputs = run("amb_training", "");
    assertEquals(2, outputs.size());
    assertTrue(outputs.get(0).lines().anyMatch(line -> line.startsWith("20 ")), outputs.get(0));
    assertTrue(outputs.get(0).lines().anyMatch(line -> line.startsWith("done ")), outputs.get(0));
    assertEquals("waiting 333.0\nasynchronous 208.8\n", outputs.get(1));
  }

  @Test
  void pandasReadsStepsWorkersAndSummaries() throws Exception {
    List<String> outputs = run("pandas", "");
    assertEquals(3, outputs.size());
    List<String> steps = outputs.get(0).lines().toList();
    assertTrue(steps.get(steps.size() - 1).startsWith(STEPS + " "), outputs.get(0));
    List<String> workers = outputs.get(1).lines().toList();
    assertTrue(workers.get(workers.size() - 1).startsWith("2 "), outputs.get(1));
  }

  @Test
  void pytorchHasTheParametersOfTheCheckpoint() throws Exception {
    String compare =
        """

        import numpy as np
        import sys
        run = "RUN"
        if "gpt" in globals():
            sys.path.insert(0, "gpt")
            import model
            run, network, tokens = "TEXT", model.load(), torch.arange(8).view(1, 8)
            assert torch.allclose(gpt(tokens), network(tokens), rtol=1e-3, atol=1e-6)
        model = globals().get("gpt", globals().get("network", model))
        checkpoint = np.load(f"runs/{run}/checkpoints/step-%09d/parameters.npy")
        loaded = np.sort(np.concatenate([p.detach().numpy().ravel() for p in model.parameters()]))
        print(np.array_equal(loaded, np.sort(checkpoint)))
        """
            .formatted(STEPS);
    List<String> outputs = run("torch", compare);
    assertEquals(3, outputs.size());
    outputs.forEach(output -> assertTrue(output.endsWith("True\n"), output));
  }
}
