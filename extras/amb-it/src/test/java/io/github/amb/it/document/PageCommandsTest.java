package io.github.amb.it.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the tutorial on data run one after the other, as a reader types them. Trainings
 * are shorter, and small stand-ins have the names of data that are to be fetched.
 */
@Tag("lab")
@Timeout(900)
class TutorialPageTest {
  private static final Path PAGE = Path.of("../../docs/tutorial/4-your-own-data.md");
  private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final int RUNS = 6;
  private static final String QUICK =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Damb.rank.jvm=-XX:TieredStopAtLevel=1";

  @TempDir Path folder;

  @Test
  void everyCommandRuns() throws Exception {
    program();
    standIns();
    String commands =
        COMMANDS
            .matcher(Files.readString(PAGE))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining())
            .replaceAll("--(last-step|test-size) \\d{3,}", "--$1 4")
            .replaceAll("(?m)^(scripts/amb data fetch|python3) .*$", "");
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder("bash", "-euxc", commands)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();

    assertEquals(0, process.waitFor(), () -> read(said));
    try (var runs = Files.list(folder.resolve("runs"))) {
      assertEquals(RUNS, runs.filter(run -> Files.exists(run.resolve("run.json"))).count());
    }
    assertTrue(read(said).contains("ROMEO:"), read(said));
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
    String path = System.getProperty("java.class.path");
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
