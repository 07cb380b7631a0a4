package io.github.amb.runtime.evaluate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.api.Model;
import io.github.amb.api.TrainingResult;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.train.TrainCommand;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PredictCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Path train(String data, String more) throws Exception {
    Path run = folder.resolve("run");
    String options = "%s fmb adam 16 --workers 0 --last-step 60 --run-directory %s %s";
    String all = options.formatted(data, run, more);
    assertEquals(0, new TrainCommand().run(List.of(all.split(" "))));
    return run;
  }

  private List<String> predict(Path run, Object... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(run.toString()));
    for (Object each : more) {
      arguments.add(each.toString());
    }
    out.reset();
    PrintStream to = new PrintStream(out, true);
    assertEquals(0, new PredictCommand().printingTo(to, System.err).run(arguments));
    return out.toString(UTF_8).lines().toList();
  }

  private static EvaluationRecord lastTest(Path run) throws Exception {
    List<EvaluationRecord> tests =
        LogRecord.of(EvaluationRecord.class, new RunDirectory(run).masterRecords());
    return tests.get(tests.size() - 1);
  }

  /** A CSV file of three classes, and the labels of its test part, every tenth row. */
  private Path flowers(List<String> labels, List<String> features) throws Exception {
    StringBuilder text = new StringBuilder("kind,a,b,c\n");
    Random random = new Random(3);
    for (int i = 0; i < 400; i++) {
      int kind = i % 3;
      String numbers =
          "%.3f,%.3f,%.3f"
              .formatted(kind + random.nextGaussian() / 2, random.nextGaussian(), kind * 0.5);
      String label = List.of("iris", "lily", "rose").get(kind);
      text.append(label).append(',').append(numbers).append('\n');
      labels.add(label);
      features.add(numbers);
    }
    return Files.writeString(folder.resolve("flowers.csv"), text);
  }

  /** What is predicted for the test part has the loss and the accuracy that the run recorded. */
  @Test
  void predictionsHaveTheRecordedLossAndAccuracy() throws Exception {
    Path run = train("optdigits", "--network logistic-regression");
    List<String> lines = predict(run);
    assertEquals("input,class,0,1,2,3,4,5,6,7,8,9", lines.get(0));
    double right = 0;
    double loss = 0;
    try (RunModel model = RunModel.of(run, null)) {
      assertEquals(model.data.test().count() + 1, lines.size());
      for (int i = 1; i < lines.size(); i++) {
        String[] fields = lines.get(i).split(",");
        int label = model.data.test().label(i - 1);
        right += fields[1].equals(Integer.toString(label)) ? 1 : 0;
        loss -= Math.log(Double.parseDouble(fields[2 + label]));
        double sum = Arrays.stream(fields).skip(2).mapToDouble(Double::parseDouble).sum();
        assertEquals(1, sum, 1e-5);
      }
    }
    EvaluationRecord test = lastTest(run);
    assertEquals(test.accuracy(), right / (lines.size() - 1), 1e-12);
    assertEquals(test.testLoss(), loss / (lines.size() - 1), 1e-5);
  }

  /** The same examples from each kind of file, and from Java, have the same predictions. */
  @Test
  void allKindsOfInputsAreRead() throws Exception {
    Path run = train("digits", "--network logistic-regression");
    List<String> expected = predict(run).subList(0, 4);
    float[] pixels = new float[3 * 784];
    StringBuilder csv = new StringBuilder();
    Path images = Files.createDirectory(folder.resolve("images"));
    try (RunModel model = RunModel.of(run, null);
        Model opened = Model.load(run)) {
      for (int i = 0; i < 3; i++) {
        float[] features = new float[784];
        model.data.test().copyFeatures(i, features);
        BufferedImage image = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
        for (int j = 0; j < 784; j++) {
          pixels[i * 784 + j] = Math.round(features[j] * 255);
          image.getRaster().setSample(j % 28, j / 28, 0, pixels[i * 784 + j]);
          csv.append(j == 0 ? "" : ",").append(pixels[i * 784 + j]);
        }
        csv.append('\n');
        ImageIO.write(image, "png", images.resolve((i + 1) + ".png").toFile());
        String[] fields = expected.get(i + 1).split(",");
        float[] found = opened.predict(features)[0];
        for (int j = 0; j < 10; j++) {
          assertEquals(Float.parseFloat(fields[2 + j]), found[j], 1e-6);
        }
      }
      assertEquals(3, opened.predict(new float[3][784]).length);
      assertEquals(0, opened.predict().length);
      assertEquals(10, opened.outputs().size());
    }
    assertAlike(expected, predict(run, Files.writeString(folder.resolve("rows.csv"), csv)));
    Path array = folder.resolve("rows.npy");
    try (OutputStream to = Files.newOutputStream(array)) {
      NpyArray.write(to, pixels, 0, 3, 28, 28);
    }
    assertAlike(expected, predict(run, array));
    List<String> named = predict(run, images);
    assertTrue(named.get(1).startsWith("1.png,"), named.get(1));
    assertAlike(expected, named.stream().map(line -> line.replace(".png", "")).toList());
    assertAlike(List.of(named.get(2)), predict(run, images.resolve("2.png")).subList(1, 2));
    assertEquals(7, predict(run, array, images).size());
  }

  /** Products of matrices of other sizes round otherwise: 1e-6 is 16 units of the last place. */
  private static void assertAlike(List<String> expected, List<String> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      String[] one = expected.get(i).split(",");
      String[] other = found.get(i).split(",");
      assertArrayEquals(Arrays.copyOf(one, 2), Arrays.copyOf(other, 2));
      for (int j = 2; j < one.length; j++) {
        assertEquals(Double.parseDouble(one[j]), Double.parseDouble(other[j]), 1e-6);
      }
    }
  }

  @Test
  void classesHaveTheNamesOfTheUser() throws Exception {
    List<String> labels = new ArrayList<>();
    List<String> features = new ArrayList<>();
    Path data = flowers(labels, features);
    Path run = train(data.toString(), "--network logistic-regression --learning-rate 0.1");
    Path asked =
        Files.writeString(folder.resolve("asked.csv"), "a,b,c\n" + String.join("\n", features));
    List<String> lines = predict(run, asked);
    assertEquals("input,class,iris,lily,rose", lines.get(0));
    long right = 0;
    for (int i = 0; i < labels.size(); i++) {
      right += lines.get(i + 1).split(",")[1].equals(labels.get(i)) ? 1 : 0;
    }
    assertTrue(right > 0.9 * labels.size(), right + " right");
    JsonNode first =
        JsonMapper.builder().build().readTree(predict(run, asked, "--format=jsonl").get(0));
    assertEquals("1", first.get("input").asText());
    assertEquals(lines.get(1).split(",")[1], first.get("class").asText());
    assertEquals(3, first.get("outputs").size());
  }

  /** A single output: of cross-entropy a probability, of hinge a number with a sign. */
  @Test
  void oneOutputDecidesBetweenTwoClasses() throws Exception {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      rows.append(i % 2).append(',').append(i % 2 == 0 ? -1.5 : 1.5).append(",0.25\n");
    }
    Path data = Files.writeString(folder.resolve("two.csv"), rows);
    Path asked = Files.writeString(folder.resolve("asked.csv"), "-1.5,0.25\n1.5,0.25\n");
    for (String loss : List.of("xent", "hinge")) {
      String more = "--network logistic-regression --learning-rate 0.1 --loss ";
      List<String> lines = predict(train(data.toString(), more + loss).toAbsolutePath(), asked);
      assertEquals("input,class,1", lines.get(0));
      assertEquals("0", lines.get(1).split(",")[1], loss);
      assertEquals("1", lines.get(2).split(",")[1], loss);
      double low = Double.parseDouble(lines.get(1).split(",")[2]);
      assertTrue(loss.equals("xent") ? low > 0 && low < 0.5 : low < 0, lines.get(1));
      Disk.REAL.delete(folder.resolve("run"));
    }
  }

  /** A number for three classes may be that of none of them. */
  @Test
  void aNumberBeyondTheClassesIsTheNearestOne() throws Exception {
    Path data = flowers(new ArrayList<>(), new ArrayList<>());
    Path run = train(data.toString(), "--network linear-regression --learning-rate 0.1");
    Path asked = Files.writeString(folder.resolve("asked.csv"), "-900,0,0\n900,0,0\n");
    List<String> lines = predict(run, asked);
    assertEquals("iris", lines.get(1).split(",")[1], lines.get(1));
    assertEquals("rose", lines.get(2).split(",")[1], lines.get(2));
  }

  /** Asks the run of a directory, and prints which native libraries the process has loaded. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] run) throws Exception {
      try (Model model = Model.load(Path.of(run[0]))) {
        System.out.println(model.predict(new float[784])[0].length + " outputs");
      }
      Files.readAllLines(Path.of("/proc/self/maps")).forEach(System.out::println);
    }
  }

  @Tag("system")
  @Test
  void javaNeedsNoNativesOfNd4j() throws Exception {
    assumeTrue(Loader.getPlatform().equals("linux-x86_64"), "oneDNN is not built for this host");
    Path run = train("digits", "--network mnist-cnn --last-step 1");
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName(),
                run.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(probe.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, probe.waitFor());
    assertTrue(output.startsWith("10 outputs\n"), output);
    assertTrue(output.contains("dnnl"), output);
    // The file itself may be mapped, to read classes from it.
    assertEquals(List.of(), output.lines().filter(l -> l.matches(".*nd4j.*\\.so")).toList());
  }

  @Test
  void whatDoesNotFitIsRejected() throws Exception {
    Path run = train("optdigits", "--network logistic-regression");
    try (Model model = Model.load(run)) {
      assertEquals(TrainingResult.read(run).parameters().length, model.layout().size());
      for (int size : new int[] {0, 63, 65}) {
        assertThrows(IllegalArgumentException.class, () -> model.predict(new float[size]));
      }
    }
    Path narrow = Files.writeString(folder.resolve("narrow.csv"), "1,2,3\n");
    Path huge = Files.writeString(folder.resolve("huge.csv"), "1,".repeat(63) + "1e39\n");
    Path words = Files.writeString(folder.resolve("words.csv"), "1," + "x,".repeat(62) + "x\n");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Path other = Files.writeString(folder.resolve("other.txt"), "hello");
    Path color = folder.resolve("color.png");
    ImageIO.write(new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB), "png", color.toFile());
    for (Path wrong :
        List.of(narrow, huge, words, empty, other, color, folder.resolve("absent.npy"))) {
      Exception e = assertThrows(Exception.class, () -> predict(run, wrong));
      assertTrue(e.getMessage().contains(wrong.toString()), e.getMessage());
    }
    assertThrows(UsageException.class, () -> predict(run, narrow, "--format=xml"));
  }
}
