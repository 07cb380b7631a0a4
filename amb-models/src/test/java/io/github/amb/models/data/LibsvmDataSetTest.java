package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.SparseExamples;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibsvmDataSetTest {
  @TempDir Path folder;

  private DataSet load(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return DataSets.load(file.toString(), null, 1);
  }

  /** Twenty examples, of which the second is the first for training. */
  private static String repeated(String line) {
    return (line + "\n").repeat(20);
  }

  private static float[] features(DataSet data, int example) {
    float[] features = new float[data.shape().size()];
    data.train().copyFeatures(example, features);
    return features;
  }

  private static List<Integer> labels(Examples examples) {
    return IntStream.range(0, examples.count()).mapToObj(examples::label).toList();
  }

  @Test
  void publishedFilesHoldEveryTenthExampleOut() throws IOException {
    Files.writeString(folder.resolve("a9a"), repeated("0 1:1\n1 3:1"));
    Files.writeString(folder.resolve("a9a.t"), "-1 1:1\n"); // Its labels are others.
    DataSet data = DataSets.load("a9a", folder, 1);

    assertEquals(36, data.train().count());
    assertEquals(3, data.shape().size());
    assertEquals(29_304, DataSets.definition("a9a").trainingExamples());
    assertEquals(4_975, DataSets.definition("w8a").testExamples());
  }

  @Test
  void exampleAndTestFilesAreRead() throws IOException {
    Files.writeString(folder.resolve("a.t.libsvm"), "+1 2:1\n-1 5:3\n");
    DataSet data = load("a.libsvm", "# of a page\n+1 1:0.5 3:-2 \n\n-1 2:1e-3\t4:1 # last\r\n-1\n");
    assertEquals(5, data.shape().size());
    assertEquals(List.of(1, 0, 0), labels(data.train()));
    assertEquals(List.of(1, 0), labels(data.test()));
    assertEquals(List.of("-1", "1"), data.classNames());
    assertArrayEquals(new float[] {0.5f, 0, -2, 0, 0}, features(data, 0));
    assertArrayEquals(new float[] {0, 1e-3f, 0, 1, 0}, features(data, 1));
    assertArrayEquals(new float[5], features(data, 2));
    assertEquals(-1, data.train().target(1, 0));
    assertEquals(
        2, DataSets.definition(folder.resolve("a.libsvm").toString()).checksums(null).size());
  }

  @Test
  void gzipIsTheSameAndEveryTenthIsHeldOut() throws IOException {
    String text = repeated("0 1:1") + repeated("1 2:3 1:2");
    DataSet plain = load("b.libsvm", text);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("c.libsvm.gz")))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    DataSet packed = DataSets.load(folder.resolve("c.libsvm.gz").toString(), null, 1);
    assertEquals(36, plain.train().count());
    assertEquals(4, plain.test().count());
    for (int i = 0; i < 36; i++) {
      assertArrayEquals(features(plain, i), features(packed, i));
    }
    assertArrayEquals(new float[] {2, 3}, features(plain, 35));
    assertTrue(plain.note().contains("sorted"), plain.note());
  }

  @Test
  void labelsAreClassesOrNumbers() throws IOException {
    DataSet three = load("d.libsvm", repeated("3 1:1") + repeated("1 1:2") + repeated("2 1:1"));
    assertEquals(List.of("1", "2", "3"), three.classNames());
    assertEquals(2, three.train().label(0));
    DataSet real = load("e.libsvm", repeated("0.5 1:1") + repeated("-2 1:2"));
    assertEquals(0.5f, real.train().target(0, 0));
    assertEquals(-2f, real.train().target(35, 0));
    assertEquals(1, real.classes());
    assertEquals(Targets.NUMBERS, real.test().targets());
    String name = folder.resolve("d.libsvm") + ":targets";
    DataSet numbers = DataSets.load(name, null, 1);
    assertEquals(Targets.NUMBERS, numbers.train().targets());
    assertEquals(3, numbers.train().target(0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 0:1         | add 1 to every index
          1 2:1 1:1 2:3 | once, found '2 twice'; remove one
          1 2:1 2:1     | once, found '2 twice'; remove one
          1 qid:3 1:1   | remove the qid
          1 1:nan       | a finite number, found 'nan'
          1 1:1e39      | a finite number, found '1e39'
          1 1:          | a finite number, found ''
          1,2 1:1       | one label
          x 1:1         | a label
          1 a:1         | INDEX:VALUE
          1 1           | INDEX:VALUE
          1 -1:1        | INDEX:VALUE
          1 16777217:1  | from 1 to 16777216
          1:1 2:1       | a label
          """)
  void malformedLinesAreRejectedWithTheirNumber(String line, String remedy) {
    UsageException e =
        assertThrows(UsageException.class, () -> load("f.libsvm", "1 1:1\n# two\n" + line + "\n"));
    assertTrue(e.getMessage().contains("line 3: expected"), e.getMessage());
    assertTrue(e.getMessage().contains(remedy), e.getMessage());
  }

  @Test
  void labelsOfTheTestFileAloneAreRejected() throws IOException {
    Files.writeString(folder.resolve("i.t.libsvm"), "+1 2:1\n-1 5:3\n");
    UsageException e = assertThrows(UsageException.class, () -> load("i.libsvm", "1 1:1\n0 1:2\n"));
    assertTrue(e.getMessage().contains("i.t.libsvm: expected"), e.getMessage());
    assertTrue(e.getMessage().contains("found -1"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"''", "'\n\n# nothing\n'", "'1\n0\n'", "'1 1:1'"})
  void filesWithoutExamplesAreRejected(String text) {
    assertThrows(UsageException.class, () -> load("g.libsvm", text));
  }

  @Test
  void aFileMayBeLongAndALineMayNot() throws IOException {
    Path file = folder.resolve("j.libsvm");
    Files.writeString(file, "1 5:0.25 9:1\n".repeat(DataLimits.CSV_LINE_CHARACTERS / 12));
    assertTrue(Files.size(file) > DataLimits.CSV_LINE_CHARACTERS);
    assertEquals(DataLimits.CSV_LINE_CHARACTERS / 12, read(file).count());
    Files.writeString(file, "1 " + " ".repeat(DataLimits.CSV_LINE_CHARACTERS + (1 << 16)));
    assertThrows(UsageException.class, () -> read(file));
  }

  @Property(tries = 50)
  void whatIsWrittenIsRead(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    List<float[]> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      float[] row = new float[12];
      text.append(random.nextInt(3));
      List<Integer> order = new ArrayList<>(IntStream.range(0, 12).boxed().toList());
      Collections.shuffle(order, random);
      for (int k : order.subList(0, random.nextInt(12))) {
        row[k] = (float) random.nextGaussian();
        text.append(' ').append(k + 1).append(':').append(row[k]);
      }
      text.append(random.nextBoolean() ? " \n" : "\n");
      rows.add(row);
    }
    Path file = Files.createTempFile("fuzz", ".libsvm");
    try {
      Files.writeString(file, text + "0 12:1\n1\n2\n");
      SparseExamples read = read(file);
      float[] features = new float[12];
      for (int i = 0; i < 30; i++) {
        read.copyFeatures(i, features);
        assertArrayEquals(rows.get(i), features);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static SparseExamples read(Path file) throws IOException {
    LibsvmText text = new LibsvmText();
    text.read(file);
    return text.examples(file, false);
  }

  /** Any text is read, or rejected with a message, and nothing else happens. */
  @Property(tries = 500)
  void anyTextIsReadOrRejected(
      @ForAll @CharRange(from = '0', to = ':') @CharRange(from = ' ', to = '/') String text)
      throws IOException {
    Path file = Files.createTempFile("fuzz", ".libsvm");
    try {
      Files.writeString(file, text.replace('/', '\n').replace('!', 'e'));
      SparseExamples read = read(file);
      assertTrue(read.count() > 0);
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void checksumsAreThoseOfTheFiles() throws IOException {
    load("h.libsvm", repeated("1 1:1"));
    Map<String, String> sums =
        DataSets.definition(folder.resolve("h.libsvm").toString()).checksums(null);
    assertEquals(1, sums.size());
  }
}
