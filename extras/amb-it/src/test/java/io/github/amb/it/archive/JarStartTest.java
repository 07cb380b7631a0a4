package io.github.amb.it.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An unpacked archive starts by {@code java -jar amb.jar} and needs no other program: {@code PATH}
 * is empty. As root, {@code /proc} is empty, too.
 */
@Tag("system")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class JarStartTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));

  @TempDir Path directory;
  private Path jar;

  @BeforeEach
  void install() throws IOException {
    Path home = directory.resolve("installed");
    Files.createDirectories(home.resolve("lib"));
    Path experiments = Files.createDirectories(home.resolve("experiments"));
    Files.copy(Path.of("../../experiments/tf.yaml"), experiments.resolve("installed.yaml"));
    jar = home.resolve("amb.jar");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "io.github.amb.runtime.Amb");
    attributes.put(Attributes.Name.CLASS_PATH, classPath());
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  /** Runs a command of amb to its end; returns what it has printed. */
  private String amb(String command) throws Exception {
    List<String> line = new ArrayList<>();
    if (mayMount()) {
      String hidden = "mount -t tmpfs none /proc && exec \"$@\"";
      line.addAll(List.of("unshare", "--mount", "sh", "-c", hidden, "sh"));
    }
    line.addAll(List.of("/usr/bin/env", "-i", "PATH=/nonexistent"));
    // Java's own launcher finds its libraries by /proc.
    line.add("LD_LIBRARY_PATH=" + JAVA.resolve("lib"));
    line.addAll(List.of(JAVA.resolve("bin/java").toString(), "-XX:TieredStopAtLevel=1"));
    line.addAll(List.of("-jar", jar.toString()));
    line.addAll(List.of(command.split(" ")));
    Process process =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  /** Root may, but not in an ordinary container. */
  private static boolean mayMount() throws Exception {
    var probe = new ProcessBuilder("unshare", "--mount", "true");
    return System.getProperty("user.name").equals("root") && probe.start().waitFor() == 0;
  }

  @Test
  void oneProcessTrains() throws Exception {
    Path run = directory.resolve("run");
    amb("train toy fmb adm 16 --workers 0 --last-step 4 --run-directory " + run);
    assertEquals(4, new RunDirectory(run).lastStep().step());
  }

  @Tag("lab")
  @Test
  void aSimulationTrainsAndIsDrawnAndReported() throws Exception {
    Path run = directory.resolve("run");
    amb(
        "train toy fmb adm 16 --engine sim --workers 3 --last-step 4 --evaluate last --run-directory "
            + run);
    assertEquals(4, new RunDirectory(run).lastStep().step());
    Path figure = directory.resolve("figure.png");
    amb("plot " + run + " --out " + figure);
    assertTrue(Files.size(figure) > 0);
    amb("report " + run);
    assertTrue(Files.readString(run.resolve("plots/report.html")).contains("<img"));
  }

  @Test
  void experimentsAreThoseBesideTheJar() throws Exception {
    String listed = amb("experiment list");
    assertTrue(listed.contains("installed"), listed);
  }
}
