package io.github.amb.it.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.plugin.Plugin;
import io.github.amb.runtime.Amb;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of a page run one after the other, as a reader types them. Trainings are shorter,
 * and small stand-ins have the names of data that are to be fetched.
 */
@Tag("lab")
@Timeout(900)
class PageCommandsTest {
  private static final Path DOCS = Path.of("../../docs");
  private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String QUICK =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Damb.rank.jvm=-XX:TieredStopAtLevel=1";

  @TempDir Path folder;

  @Test
  void theTutorialOnData() throws Exception {
    standIns();
    String said =
        run(
            commands("tutorial/4-your-own-data.md")
                .replaceAll("--(last-step|test-size) \\d{3,}", "--$1 4")
                .replaceAll("(?m)^(scripts/amb data fetch|python3) .*$", ""));
    try (var runs = Files.list(folder.resolve("runs"))) {
      assertEquals(6, runs.filter(run -> Files.exists(run.resolve("run.json"))).count());
    }
    assertTrue(said.contains("ROMEO:"), said);
  }

  /** All hosts are this one, with a place each, and the week ends after some steps. */
  @Test
  void aWeekWithoutAPerson() throws Exception {
    String said =
        run(
            commands("how-to/train-for-a-week.md")
                .replaceAll("(?m)^\\w+\\.example.*$", "localhost")
                .replace("--max-time 604800", "--last-step 6")
                .replace("--metrics-port 9400", "--metrics-port 0")
                .replaceAll("curl -d (\".*\") https://HOST/HOOK", "echo $1 >> ended")
                .replace("--resume runs/week", "--last-step 9 --resume runs/week"));
    assertEquals(
        folder.toRealPath().resolve("runs/week") + ": exit code 0 \n",
        Files.readString(folder.resolve("ended")));
    assertTrue(said.contains("goodput"), said);
    assertTrue(Files.exists(folder.resolve("runs/week/plots")), said);
  }

  /** The scheme is compiled as the page has it. Fewer seeds are compared. */
  @Test
  void aPaperWithASchemeOfItsOwn() throws Exception {
    String page = Files.readString(DOCS.resolve("how-to/add-a-scheme.md"));
    List<String> classes = JAVA.matcher(page).results().map(found -> found.group(1)).toList();
    assertEquals(2, classes.size());
    String test = "../../examples/src/test/java/io/github/amb/examples/RennalaSgdTest.java";
    assertTrue(Files.readString(Path.of(test)).endsWith(classes.get(1)), classes.get(1));
    plugin("io.github.amb.examples.RennalaSgd", classes.get(0));
    String said =
        run(
            commands("how-to/add-a-scheme.md")
                .replaceAll("(?s)scripts/test .*", "")
                .replace("seeds: 1..8", "seeds: 1..4")
                .replace("choose-with: [1, 2, 3]", "choose-with: [1, 2]"));
    assertTrue(said.contains("48 of 48 runs done, 0 failed"), said);
    String tables = Files.readString(folder.resolve("runs/mine/report.tex"));
    assertTrue(tables.contains("\\begin{tabular}"), tables);
    assertTrue(Pattern.compile("mine/[0-9.]+ & fmb/").matcher(tables).find(), tables);
    for (String figure : List.of("mine/accuracy.png", "mine/forest.csv", "column.pdf")) {
      assertTrue(Files.size(folder.resolve("runs").resolve(figure)) > 0, figure);
    }
  }

  /** Makes the jar that the page has by Maven. */
  private void plugin(String name, String text) throws Exception {
    Path source = folder.resolve(name.replaceAll(".*\\.", "") + ".java");
    Files.writeString(source, text);
    Path classes = folder.resolve("classes");
    String path = System.getProperty("java.class.path");
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "-cp", path, source.toString());
    assertEquals(0, code, "javac");
    Path services = classes.resolve("META-INF/services/" + Plugin.class.getName());
    Files.createDirectories(services.getParent());
    Files.writeString(services, name);
    Files.writeString(folder.resolve("manifest"), "Amb-Api-Version: " + Plugin.API_VERSION + "\n");
    Path jar = Path.of(System.getProperty("java.home"), "bin", "jar");
    run("mkdir target; " + jar + " cfm target/amb-examples.jar manifest -C classes .");
  }

  private static String commands(String page) throws IOException {
    return COMMANDS
        .matcher(Files.readString(DOCS.resolve(page)))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining());
  }

  private String run(String commands) throws Exception {
    program();
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder("bash", "-euxc", commands)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();

    assertEquals(0, process.waitFor(), () -> read(said));
    return read(said);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The program of this class path under the name that the page has. */
  private void program() throws IOException {
    Path script = folder.resolve("scripts/amb");
    Files.createDirectories(script.getParent());
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> Files.exists(Path.of(entry))) // Programs of hosts are compared.
            .collect(Collectors.joining(File.pathSeparator));
    Files.writeString(
        script,
        "#!/bin/sh\nOMP_NUM_THREADS=1 exec '%s' %s -cp '%s' %s \"$@\"\n"
            .formatted(java, QUICK, path, Amb.class.getName()));
    assertTrue(script.toFile().setExecutable(true));
  }

  private void standIns() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data/cifar-10-batches-bin"));
    for (String file :
        List.of(
            "data_batch_1",
            "data_batch_2",
            "data_batch_3",
            "data_batch_4",
            "data_batch_5",
            "test_batch")) {
      try (var images = new RandomAccessFile(data.resolve(file + ".bin").toFile(), "rw")) {
        images.setLength(10_000 * (1 + 3 * 32 * 32)); // Black airplanes, which take no place.
      }
    }
    String text = "ROMEO:\nBut soft, what light through yonder window breaks?\n".repeat(200);
    Files.write(folder.resolve("data/tinyshakespeare.txt"), text.getBytes(UTF_8));
  }
}
