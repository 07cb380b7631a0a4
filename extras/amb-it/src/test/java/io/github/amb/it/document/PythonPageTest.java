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
  private static final Pattern PROGRAM = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);
  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");
  private static final int STEPS = 4;

  @TempDir static Path directory;

  @BeforeAll
  static void train() throws Exception {
    String options = " fmb adm 16 --network sigmoid-mlp --engine sim --workers 2 --evaluate last";
    amb("train digits" + options + " --last-step " + STEPS + " --run-directory runs/RUN");
    String csv = amb("summarize runs/RUN --format csv");
    Files.writeString(directory.resolve("runs.csv"), csv);
    amb("export runs/RUN --format npz --output parameters.npz");
    amb("export runs/RUN --format pytorch --output network");
    Files.writeString(directory.resolve("text.txt"), "to be or not to be, ".repeat(20));
    String text = "train text:text.txt,context=8 fmb adamw 4 --network gpt:2,4,16,8,bias";
    amb(text + " --engine sim --workers 1 --last-step 4 --run-directory runs/TEXT");
    amb("export runs/TEXT --format safetensors --output gpt.safetensors");
    amb("export runs/TEXT --format pytorch --output gpt");
  }

  private static String amb(String command) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Damb.rank.jvm=-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Amb.class.getName()));
    line.addAll(List.of(command.split(" ")));
    return output(line);
  }

  private static String output(List<String> line) throws IOException, InterruptedException {
    Path errors = directory.resolve("stderr");
    Process process =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectError(errors.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said + Files.readString(errors));
    return said;
  }

  private static String python(String library) throws InterruptedException {
    for (String python : PYTHONS) {
      try {
        if (new ProcessBuilder(python, "-c", "import " + library).start().waitFor() == 0) {
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
