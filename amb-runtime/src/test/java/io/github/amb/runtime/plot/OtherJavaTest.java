package io.github.amb.runtime.plot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.plots.ExampleRun;
import io.github.amb.runtime.Amb;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java gives the same: runs on the virtual cluster bit for bit, and figures of the same runs
 * byte for byte; of images, whose edges each Java smooths in its own way, but for a few pixels'
 * shade.
 */
@Tag("lab")
class OtherJavaTest {
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final Path OWN = Path.of(System.getProperty("java.home"));

  @TempDir Path folder;

  @Test
  void figuresHaveTheSameBytes() throws Exception {
    Optional<Path> other = otherJava();
    assumeTrue(other.isPresent(), "no other Java below " + INSTALLED + ": bytes were not compared");
    String amb = new ExampleRun("amb").secondsPerStep(1).write(folder).path().toString();
    String fmb = new ExampleRun("fmb").write(folder).path().toString();

    List<Path> first = plot(OWN, "own", amb, fmb);
    List<Path> second = plot(other.get(), "other", amb, fmb);

    assertEquals(4, first.size());
    for (int i = 0; i < first.size(); i++) {
      String file = first.get(i).getFileName() + " of " + OWN + " and " + other.get();
      if (file.contains(".png")) {
        assertAlike(
            ImageIO.read(first.get(i).toFile()), ImageIO.read(second.get(i).toFile()), file);
      } else {
        assertArrayEquals(
            Files.readAllBytes(first.get(i)), Files.readAllBytes(second.get(i)), file);
      }
    }
  }

  /** Its ranks are virtual threads from Java 24 on. */
  @Test
  void virtualClusterHasTheSameBits() throws Exception {
    Optional<Path> other = otherJava();
    assumeTrue(other.isPresent(), "no other Java below " + INSTALLED + ": bits were not compared");

    assertArrayEquals(train(OWN, "own"), train(other.get(), "other"));
  }

  private byte[] train(Path home, String name) throws Exception {
    Path run = folder.resolve(name);
    Stream<String> options =
        Stream.of(
            "train",
            "--engine",
            "sim",
            "--data-set",
            "quadratic:d=50",
            "--update-rule",
            "sgd",
            "--weight-decay",
            "0",
            "--scheme",
            "async",
            "--workers",
            "30",
            "--steps",
            "300",
            "--batch-size",
            "2",
            "--learning-rate",
            "0.01",
            "--cost-per-example",
            "1",
            "--induce",
            "niagara",
            "--run-directory",
            run.toString());
    start(home, name, Amb.class, options);
    return Files.readAllBytes(run.resolve("master.jsonl"));
  }

  private static void assertAlike(BufferedImage one, BufferedImage other, String file) {
    assertEquals(one.getWidth(), other.getWidth(), file);
    assertEquals(one.getHeight(), other.getHeight(), file);
    int different = 0;
    for (int y = 0; y < one.getHeight(); y++) {
      for (int x = 0; x < one.getWidth(); x++) {
        int most = difference(one.getRGB(x, y), other.getRGB(x, y));
        assertTrue(most < 40, file + " at " + x + ", " + y + ": " + most);
        different += most > 0 ? 1 : 0;
      }
    }
    long pixels = (long) one.getWidth() * one.getHeight();
    assertTrue(different * 10_000L < pixels, file + ": " + different + " pixels differ");
  }

  /** The most that a component of a color differs, of 255. */
  private static int difference(int one, int other) {
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      most = Math.max(most, Math.abs((one >> shift & 0xFF) - (other >> shift & 0xFF)));
    }
    return most;
  }

  /** A Java of 17 or newer of another version than this one. */
  private static Optional<Path> otherJava() throws IOException {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      int own = Runtime.version().feature();
      return homes.filter(home -> feature(home) >= 17 && feature(home) != own).sorted().findFirst();
    }
  }

  /** The first number of a Java's version, as its file {@code release} says; 0 if there is none. */
  private static int feature(Path home) {
    try (Stream<String> lines = Files.lines(home.resolve("release"))) {
      return lines
          .filter(line -> line.startsWith("JAVA_VERSION="))
          .map(line -> line.replaceAll("\\D*(\\d+).*", "$1"))
          .mapToInt(Integer::parseInt)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private List<Path> plot(Path home, String name, String... runs) throws Exception {
    Path out = folder.resolve(name);
    Stream<String> options =
        Stream.of("--ext", "png", "svg", "pdf", "csv", "--out", out.toString());
    start(home, name, PlotMain.class, Stream.concat(Stream.of(runs), options));
    try (Stream<Path> files = Files.list(out)) {
      return files.sorted().toList();
    }
  }

  private void start(Path home, String name, Class<?> main, Stream<String> arguments)
      throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    home.resolve("bin/java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Djava.awt.headless=true",
                    "-cp",
                    System.getProperty("java.class.path"),
                    main.getName()),
                arguments)
            .toList();
    Path output = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "ends in time");
      assertEquals(0, process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }
}
