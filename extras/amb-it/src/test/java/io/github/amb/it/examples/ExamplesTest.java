package io.github.amb.it.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.plugin.Plugin;
import io.github.amb.runtime.Amb;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugins of {@code examples}, in a jar. Here, because only this module sees every command. */
@Tag("system")
class ExamplesTest {
  private static final Path MAIN = Path.of("../../examples/src/main");
  private static final String EVERYTHING =
      "train rings fmb lion:0.9 16 --network tiny-mlp --codec fp24 --induce pareto:2,scale=0.001"
          + " --lrate-schedule restarts:20 --checkpoint-every 10 --workers 2";

  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  @TempDir static Path folder;
  private static Path jar;

  @BeforeAll
  static void build() throws IOException {
    Path classes = folder.resolve("classes");
    List<String> javac =
        new ArrayList<>(
            List.of("-Xlint:all,-processing,-classfile,-path", "-Werror", "--release", "17"));
    javac.addAll(List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    files(MAIN.resolve("java")).forEach(file -> javac.add(file.toString()));
    int code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, javac.toArray(String[]::new));
    assertEquals(0, code, "javac");
    jar = jar("examples.jar", Integer.toString(Plugin.API_VERSION));
  }

  private static Path jar(String name, String version) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Amb-Api-Version", version);
    Path made = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(made), manifest)) {
      for (Path root : List.of(folder.resolve("classes"), MAIN.resolve("resources"))) {
        for (Path file : files(root)) {
          out.putNextEntry(new JarEntry(root.relativize(file).toString()));
          out.write(Files.readAllBytes(file));
        }
      }
    }
    return made;
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void eachExampleIsOneFileOfLessThan100Lines() throws IOException {
    for (Path file : files(MAIN.resolve("java"))) {
      assertTrue(Files.readAllLines(file).size() < 100, file.toString());
    }
  }

  @Test
  void theTenLinesOfJavaTrain() throws Exception {
    String output = ended(0, start(List.of("../../examples/TenLines.java")));
    assertTrue(output.matches("accuracy 0\\.[5-9]\\d\\d\n"), output); // Guesses have 0.1.
  }

  @Test
  void allOfThemTrainOnProcessesAndResume() throws Exception {
    Path run = folder.resolve("run");
    run(0, EVERYTHING + " --last-step 20 --run-directory " + run);

    run(2, "train --resume " + run + " --last-step 30");
    String output = run(0, "train --resume " + run + " --last-step 30 --plugins " + jar);
    assertTrue(Files.readString(run.resolve("run.json")).contains("plugin examples.jar"), output);
  }

  @Test
  void itsSchemeContinuesAfterAKill() throws Exception {
    Path run = folder.resolve("killed");
    Process amb =
        start(
            "train rings my-rennala sgd 16 --network tiny-mlp --rennala-gradients 3 --workers 2"
                + " --checkpoint-every 5 --last-step 1000000 --run-directory "
                + run);
    try {
      awaitCheckpoint(amb, run.resolve("checkpoints"));
    } finally {
      amb.destroyForcibly().waitFor();
    }
    List<Path> saved = checkpoints(run.resolve("checkpoints"));
    long last = Long.parseLong(saved.get(saved.size() - 1).toString().replaceAll(".*-", "")) + 50;

    run(0, "train --resume " + run + " --last-step " + last + " --plugins " + jar);
    assertTrue(Files.readString(run.resolve("run.json")).contains("\"steps\" : " + last));
  }

  private static void awaitCheckpoint(Process amb, Path checkpoints) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (checkpoints(checkpoints).isEmpty()) {
      assertTrue(amb.isAlive() && System.nanoTime() < end, "expected a checkpoint");
      Thread.sleep(50);
    }
  }

  private static List<Path> checkpoints(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("step-"))
          .sorted()
          .toList();
    }
  }

  @Test
  void allOfThemTrainInVirtualTimeAndArePlotted() throws Exception {
    Path run = folder.resolve("sim");
    run(
        0,
        EVERYTHING
            + " --engine sim --cost-per-example 0.001 --last-step 20 --run-directory "
            + run);

    run(0, "plot " + run + " --type best_accuracy_vs_step --save --silent --out " + folder);
    assertTrue(
        files(folder).stream().anyMatch(file -> file.toString().endsWith(".png")), "a figure");
  }

  @Test
  void theirTextsAreInHelp() throws Exception {
    String schemes = run(0, "schemes").replaceAll(" +", " ");
    assertTrue(schemes.contains(" my-rennala the next S gradients at the newest"), schemes);
    assertTrue(run(0, "train --help scheme").contains("--rennala-gradients"));
    assertTrue(run(0, "codecs fp24").contains("fp24: 24 bits per entry"));
    assertTrue(run(0, "rules lion").contains("NeurIPS 2023"));
    assertTrue(run(0, "train --help update-rule").contains("lion"));
    assertTrue(run(0, "completion bash").contains(" tiny-mlp"));
  }

  @Test
  void wrongArgumentsOfAPluginAreNamed() throws Exception {
    String output = run(2, EVERYTHING.replace("lion:0.9", "lion:2"));
    assertTrue(output.contains("amb: update rule lion: expected 0 up to below 1, found '2'\n"));
  }

  @Test
  void aJarForAnotherVersionEndsWith2() throws Exception {
    Path other = jar("other.jar", "0");
    String output = run(2, "codecs --plugins " + other);
    assertTrue(output.contains("other.jar: expected Amb-Api-Version: 2 in its manifest, found 0"));
  }

  /** The class path without ND4J's natives, which the archive does not have. */
  private static String withoutNatives() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !path.matches(".*nd4j-native-[^/]*-(linux|macosx|windows)-[^/]*[.]jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs amb with the examples unless the command names plugins or resumes. */
  private static String run(int code, String command) throws Exception {
    return ended(code, start(command));
  }

  /** Waits for the end of a program; returns what it has printed. */
  private static String ended(int code, Process amb) throws Exception {
    try {
      assertTrue(amb.waitFor(5, TimeUnit.MINUTES), () -> amb.info().toString());
      String text = Files.readString(output(amb));
      assertEquals(code, amb.exitValue(), text);
      return text;
    } finally {
      amb.descendants().forEach(ProcessHandle::destroyForcibly);
      amb.destroyForcibly();
    }
  }

  private static Process start(String command) throws IOException {
    List<String> line = new ArrayList<>(List.of(Amb.class.getName()));
    line.addAll(List.of(command.split(" ")));
    if (!command.contains("--plugins") && !command.contains("--resume")) {
      line.addAll(List.of("--plugins", jar.toString()));
    }
    return start(line);
  }

  /** Starts Java with AMB on the class path. */
  private static Process start(List<String> program) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx1g",
            QUICK,
            "-Damb.rank.jvm=" + QUICK,
            "-cp",
            withoutNatives()));
    line.addAll(program);
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process amb =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Files.move(output, output(amb));
    return amb;
  }

  private static Path output(Process amb) {
    return folder.resolve("output-" + amb.pid() + ".txt");
  }
}
