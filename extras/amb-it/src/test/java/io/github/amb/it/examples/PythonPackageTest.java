package io.github.amb.it.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.it.document.SourceTree;
import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Python package's own tests, with a real run, and the examples of modules of PyTorch. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class PythonPackageTest {
  private static final Path ROOT = SourceTree.HERE.root().toAbsolutePath().normalize();
  private static final Path PACKAGE = ROOT.resolve("extras/python");
  private static final Path EXAMPLES = ROOT.resolve("examples/pytorch");

  @TempDir Path directory;

  private Path program;

  @BeforeEach
  void writeProgram() throws Exception {
    assumeTrue(has("sys"), "no python3");
    String line =
        "#!/bin/sh\nexport OMP_NUM_THREADS=1\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
            + " -Damb.rank.jvm=-XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n";
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    program =
        Files.writeString(
            directory.resolve("amb"),
            line.formatted(java, System.getProperty("java.class.path"), Amb.class.getName()));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  private static boolean has(String module) throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import " + module).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String run(List<String> words) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().merge("PYTHONPATH", PACKAGE.toString(), (old, own) -> own + ":" + old);
    builder.environment().put("AMB_TEST_PROGRAM", program.toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void theTestsOfThePackagePass() throws Exception {
    String tests = PACKAGE.resolve("tests").toString();
    String said = run(List.of("python3", "-B", "-m", "unittest", "discover", "-v", "-s", tests));
    assertTrue(Pattern.compile("a_run_is_started_and_followed.* ok").matcher(said).find(), said);
  }

  @Test
  void thePackageHasTheVersionOfTheProgram() throws Exception {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    var version = Pattern.compile("<version>(.*)</version>").matcher(pom);
    assertTrue(version.find());
    String expected = version.group(1).toLowerCase(Locale.ROOT).replace("-snapshot", ".dev0");
    String project = Files.readString(PACKAGE.resolve("pyproject.toml"));
    assertTrue(project.contains("\nversion = \"" + expected + "\"\n"), project);
  }

  /** Losses fall: the first ones are those of a guess, and a few steps suffice to do better. */
  @Tag("lab")
  @ParameterizedTest
  @CsvSource({
    "torch, 'optdigits', 'network python:FOLDER/digits_cnn.py,channels=4', 2.3",
    "torch, 'python:FOLDER/own_data.py,count=200', '', 1",
    "torch, 'text:TEXT,context=16', 'network python:FOLDER/transformer.py,width=16', 2",
    "transformers, 'text:TEXT,context=16', 'network python:FOLDER/gpt2.py,width=16', 2"
  })
  void anExampleTrainsUnderAmb(String module, String data, String network, double least)
      throws Exception {
    assumeTrue(has("torch"), "python3 has no torch");
    assumeTrue(has(module), "python3 has no " + module);
    Path text = Files.writeString(directory.resolve("text"), "a text of few words ".repeat(100));
    List<String> words = new ArrayList<>(List.of(program.toString(), "train"));
    words.add(data.replace("FOLDER", EXAMPLES.toString()).replace("TEXT", text.toString()));
    words.addAll(List.of("fmb", "adm", "8", "--workers", "2", "--learning-rate", "0.01"));
    if (!network.isEmpty()) {
      words.addAll(List.of(("--" + network.replace("FOLDER", EXAMPLES.toString())).split(" ")));
    }
    words.addAll(List.of("--last-step", "30", "--evaluate", "last", "--run-directory", "run"));
    run(words);
    Path path = directory.resolve("run");
    RunInfo info = new RunDirectory(path).read();
    assertTrue(info.environment().get("gradient_engine").startsWith("PyTorch "));
    List<Double> losses =
        Pattern.compile("\"loss\":([0-9.E-]+)")
            .matcher(Files.readString(path.resolve("master.jsonl")))
            .results()
            .map(found -> Double.valueOf(found.group(1)))
            .toList();
    assertEquals(30, losses.size());
    assertTrue(losses.get(0) > least, losses::toString);
    assertTrue(losses.get(29) < losses.get(0), losses::toString);
  }
}
