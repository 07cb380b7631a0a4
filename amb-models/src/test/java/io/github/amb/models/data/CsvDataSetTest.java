package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvDataSetTest {
  @TempDir Path folder;

  private Path csv(String text) throws IOException {
    return Files.writeString(folder.resolve("data.csv"), text);
  }

  private static DecodedSet read(Path file) throws IOException {
    return ((CsvDataSet) CsvDataSet.of(file.toString()).orElseThrow()).read();
  }

  private static int count(DecodedSet data) {
    return data.train().count() + data.test().count();
  }

  private static String problem(Path file) {
    return assertThrows(UsageException.class, () -> read(file)).getMessage();
  }

  private void expectProblem(String expected, String text) throws IOException {
    Path file = csv(text);
    String problem = problem(file);
    assertTrue(problem.startsWith(file + ": "), problem);
    assertTrue(problem.contains(expected), problem);
  }

  private static float[] features(Examples examples, int size, int example) {
    float[] features = new float[size];
    examples.copyFeatures(example, features);
    return features;
  }

  @Test
  void aLineHasALabelAndFeatures() throws IOException {
    StringBuilder text = new StringBuilder("label,a,b\n");
    for (int i = 0; i < 21; i++) {
      text.append(i % 3).append(',').append(i).append(".5,-1\n");
    }
    DecodedSet data = read(csv(text.toString()));
    assertEquals(3, data.classes());
    assertEquals(new ImageShape(1, 1, 2), data.shape());
    assertEquals(3, data.test().count());
    assertEquals(18, data.train().count());
    assertArrayEquals(new float[] {1.5f, -1}, features(data.train(), 2, 0));
    assertEquals(1, data.train().label(0));
    assertArrayEquals(new float[] {20.5f, -1}, features(data.test(), 2, 2));
  }

  @Test
  void bytesAreDividedBy255AndSquaresAreImages() throws IOException {
    DecodedSet data = read(csv("0,0,51,102,255\n1,1,2,3,4\n1,5,6,7,8\n"));
    assertEquals(new ImageShape(1, 2, 2), data.shape());
    assertArrayEquals(new float[] {0, 0.2f, 0.4f, 1}, features(data.test(), 4, 0), 1e-7f);
  }

  @Test
  void badCellsAreNamedByLineAndColumn() throws IOException {
    expectProblem("line 2, column 2: expected a finite number, found 'nan'", "0,1,2\n1,nan,3\n");
    expectProblem("line 2: expected 3 values as before, found 2", "0,1,2\n1,3\n");
    expectProblem("line 2, column 1: expected a label", "0,1,2\n0.5,3,4\n");
    expectProblem(
        "line 2, column 1: expected labels from 0, or -1 and 1 alone", "0,1,2\n-1,3,4\n1,1,1\n");
    expectProblem("line 2, column 1: expected a label, a whole number", "1,1,2\n-2,3,4\n");
    expectProblem("line 3, column 1: expected labels from 0", "-1,1,2\n1,3,4\n2,1,1\n");
    expectProblem("2 to 65536 classes", "0,1,2\n0,3,4\n");
    expectProblem("found labels up to 65536", "0,1,2\n65536,3,4\n");
    expectProblem("found none", "");
    expectProblem("found none", "label,a,b\n");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstLabel() throws IOException {
    assertEquals(3, count(read(csv("\ufeff0,1,2\n1,3,4\n1,1,1\n"))));
  }

  @Test
  void utf16IsRejectedByName() throws IOException {
    for (var charset : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      Path file = folder.resolve("data.csv");
      Files.write(file, "\ufeff0,1\n1,2\n".getBytes(charset));
      assertTrue(problem(file).contains("found the byte order mark of UTF-16"));
    }
  }

  @Test
  void bytesThatAreNotUtf8AreRejectedWithTheirLine() throws IOException {
    assertEquals(2, read(csv("kind,a\nowl \ud800\udc00,1\nK\u00e4fer,2\n")).classes());
    for (String rows : List.of("kind,a\nowl,1\nK\u00e4fer,2\n", "kind,a\nowl,1\nK\u00e4")) {
      Path file = folder.resolve("data.csv");
      Files.write(file, rows.getBytes(StandardCharsets.ISO_8859_1));
      assertEquals(
          file + ": line 3: expected text in UTF-8, found other bytes: save it in UTF-8",
          problem(file));
    }
  }

  @Test
  void aFirstLabelThatIsNoNumberIsNoHeader() throws IOException {
    expectProblem("line 1, column 1: expected a label", "nan,1,2\n0,3,4\n1,1,1\n");
    expectProblem("line 1, column 1: expected a label", "Inf,a,b\n0,3,4\n1,1,1\n");
    expectProblem("a line of column names has no number", "label,1,2\n0,3,4\n1,1,1\n");
    expectProblem("line 2, column 1: expected a text", "cat,1,2\n,3,4\ndog,1,1\n");
  }

  @Test
  void textsAreLabelsInTheOrderOfTheirCharacters() throws IOException {
    DecodedSet data = read(csv("kind;a\nowl;1\n\"cat\";2\ndog;3\ncat;4\n"));
    assertEquals(3, data.classes());
    assertEquals(2, data.test().label(0));
    assertEquals(List.of(0, 1, 0), IntStream.range(0, 3).mapToObj(data.train()::label).toList());
  }

  @Test
  void numbersAndTextsAreNotMixed() throws IOException {
    String expected = "line 2, column 1: expected a label, a whole number from 0 or";
    expectProblem(expected, "0,3,4\ncat,1,1\n");
    expectProblem("line 2, column 1: expected a text as in the lines", "cat,3,4\n1,1,1\n");
  }

  @Test
  void moreTextsThanClassesAreRejected() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= DataLimits.CLASSES; i++) {
      text.append('x').append(i).append(",1\n");
    }
    expectProblem("line 65537, column 1: expected one of at most 65536 labels", text.toString());
  }

  @Test
  void moreClassesThanAByteHasAreRead() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      text.append(i * 109).append(",0.5\n");
    }
    DecodedSet data = read(csv(text.toString()));
    assertEquals(599 * 109 + 1, data.classes());
    assertEquals(599 * 109, data.train().label(data.train().count() - 1));
    assertEquals(590 * 109, data.test().label(59));
  }

  @Test
  void minusOneAndOneAreTwoClasses() throws IOException {
    DecodedSet data = read(csv("-1,0.5\n+1,2\n-1,3\n"));
    assertEquals(2, data.classes());
    assertEquals(List.of("-1", "1"), data.classNames());
    assertEquals(1, data.train().label(0));
    assertEquals(0, data.train().label(1));
  }

  @Test
  void columnsOfNumbersArePredicted() throws IOException {
    String rows = "1.5,-2,3\n0,7,1e2\n4,250000,6\n";
    DecodedSet data = named(csv("a,b,c\n" + rows), "targets=b,c");
    assertEquals(2, data.classes());
    assertEquals(Targets.NUMBERS, data.train().targets());
    assertEquals(-2, data.test().target(0, 0));
    assertEquals(100, data.train().target(0, 1));
    assertEquals(250000, data.train().target(1, 0));
    assertArrayEquals(new float[] {4}, features(data.train(), 1, 1));
  }

  @Test
  void columnsOfLabelsAreZeroOrOne() throws IOException {
    DecodedSet data = named(csv("x,owl,cat\n1.5,0,1\n2,1,1\n"), "labels=owl,cat");
    assertEquals(Targets.LABELS, data.test().targets());
    assertEquals(List.of("owl", "cat"), data.classNames());
    assertEquals(0, data.test().target(0, 0));
    assertEquals(1, data.test().target(0, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          targets=b,d | a,b;1.5,2   | line 1: expected columns 'b', 'd', found a, b
          targets=d   | a,b;1.5,2   | line 1: expected a column 'd', found a, b
          targets=a   | a,b;x,2     | line 2, column 1: expected a finite number, found 'x'
          targets=a   | a,b;inf,2   | line 2, column 1: expected a finite number, found 'inf'
          targets=3   | 1.5,2;3,4   | line 1: expected a column '3', found 1.5, 2
          targets=a,b | a,b;1.5,2   | line 2: expected a feature
          targets=a   | a,a,b;1,2,3 | line 1: expected one column 'a', found several
          targets=a,a | a,b;1,2     | line 1: expected each column once, found a, a
          labels=a    | a,b;0.5,2   | line 2, column 1: expected 1 for an example
          """)
  void wrongColumnsToPredictAreRejected(String columns, String rows, String expected)
      throws IOException {
    Path file = csv(rows.replace(';', '\n'));
    String problem = assertThrows(UsageException.class, () -> named(file, columns)).getMessage();
    assertTrue(problem.contains(expected), problem);
  }

  @Test
  void semicolonsAndTabsSeparateToo() throws IOException {
    assertEquals(2, read(csv("0;1.5;2\n1;3;4\n")).shape().size());
    assertEquals(2, read(csv("label\ta\tb\r\n0\t1.5\t2\r\n1\t3\t4\r\n")).shape().size());
  }

  private static DecodedSet named(Path file, String column) throws IOException {
    return ((UserDataSet) CsvDataSet.of(file + ":" + column).orElseThrow()).read();
  }

  @Test
  void quotesEncloseSeparatorsLineEndsAndQuotes() throws IOException {
    String rows = "\"Box, small\",0.50\n\"Box\r\nlarge\",0.51\n\"a \"\"b\"\"\" , \"1.5\"\n";
    DecodedSet data = read(csv("kind,width\r\n" + rows));
    assertEquals(List.of("Box\r\nlarge", "Box, small", "a \"b\""), data.classNames());
    assertArrayEquals(new float[] {1.5f}, features(data.train(), 1, 1));
    expectProblem(
        "line 4, column 2: expected a finite number, found 'x'", "kind,a\n\"B\n\",1\nC,x\n");
    expectProblem("line 3: expected quotes around a whole value", "kind,a\nB,1\n\"C\"D,1\n");
    expectProblem("expected quotes around a whole value", "kind,a\nB,1\n\"C,1\n");
  }

  @Test
  void aSeparatorDividesTheFirstTwoRowsAlike() throws IOException {
    assertEquals(2, read(csv("kind,width (cm; inner),b\n0,1.5,2\n1,2,3\n")).shape().size());
    assertEquals(1, read(csv("kind,a\n\"b;c\",1.5\nd,2\n")).shape().size());
    expectProblem("line 1, column 2: expected a finite number, found '0,5'", "1;0,5\n0;1,5\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10d",
        "3f",
        "1F",
        "0x1p3",
        "0x10",
        "1_000",
        "\u0661\u0662",
        "",
        "NA",
        "null",
        "true",
        "1e400",
        "1e39",
        "Infinity",
        "-inf",
        "NaN",
        "1,000",
        "1 000",
        "0b1",
        "1L",
        "--1",
        "e5",
        "."
      })
  void whatIsNoFiniteDecimalNumberIsRejected(String cell) throws IOException {
    expectProblem("line 3, column 2: expected a finite number", "k,a\n0,1.5\n1,\"" + cell + "\"\n");
    String label = cell.isEmpty() ? "1e400" : cell;
    expectProblem("line 3, column 1: expected a", "k,a\n0,1.5\n\"" + label + "\",1\n");
  }

  @Test
  void usualFormsOfDecimalNumbersAreRead() throws IOException {
    DecodedSet data = read(csv("k,a\n1.0,+1\n0.0,.5\n+1,-1.\n0,1E2\n"));
    for (int i = 0; i < 3; i++) {
      assertEquals(i % 2, data.train().label(i));
      float[] expected = {new float[] {.5f, -1, 100}[i]};
      assertArrayEquals(expected, features(data.train(), 1, i));
    }
  }

  @Test
  void anIndexOfRowsIsNoLabel() throws IOException {
    String rows = "0,cat,1.5\n1,dog,2\n2,cat,3\n";
    expectProblem("found an index of rows; name their column, as", ",kind,a\n" + rows);
    expectProblem("data.csv:kind", "Unnamed: 0,kind,a\n" + rows);
    expectProblem("column 1: expected labels, found the numbers", "0,7,1.5\n1,7,2\n2,9,3\n");
    expectProblem("column 1: expected labels, found the numbers", "id,a\n1,1.5\n2,2\n3,3\n");
    DecodedSet data = named(csv(",kind,a\n" + rows), "kind");
    assertEquals(List.of("cat", "dog"), data.classNames());
    assertArrayEquals(new float[] {3}, features(data.train(), 1, 1));
    assertTrue(data.note().contains("left out as the index of rows"), data.note());
  }

  @Test
  void theColumnOfLabelsCanBeNamed() throws IOException {
    Path file = csv("a,Label,b\n1.5,1,2\n3,0,4\n5,1,6\n");
    assertTrue(problem(file).endsWith("name their column, as " + file + ":Label"), problem(file));
    DecodedSet data = named(file, "Label");
    assertEquals(0, data.train().label(0));
    assertArrayEquals(new float[] {3, 4}, features(data.train(), 2, 0));
    String unknown = assertThrows(UsageException.class, () -> named(file, "c")).getMessage();
    assertTrue(unknown.contains("line 1: expected a column 'c', found a, Label, b"), unknown);
    Path twice = csv("a,k,k\n1,2,3\n");
    assertThrows(UsageException.class, () -> named(twice, "k"));
  }

  @Test
  void aRowOfDataIsNotTakenForNamesOfColumns() throws IOException {
    expectProblem("found 'cat', a label of later lines", "cat,,\ndog,1,2\ncat,3,4\n");
  }

  @Test
  void whatIsGuessedIsNoted() throws IOException {
    String note = read(csv("k;a;b;c;a\n0;0;1;2;255\n1;1;2;3;4\n")).note();
    for (String part :
        List.of(
            "values are separated by: semicolons",
            "several columns have the name: a",
            "line 1 has the names of columns, labels are in: k",
            "vectors of 4 features are taken as images: 1x2x2",
            "features are divided by 255",
            "every tenth example is held out for testing: 1 of 2")) {
      assertTrue(note.contains(part), note);
    }
  }

  @Test
  void otherSeparatorsAreNamedInTheProblem() throws IOException {
    expectProblem("line 1: expected a label and features, with commas", "0 1 2\n1 3 4\n");
  }

  @Test
  void escapesOfAFileDoNotReachTheTerminal() throws IOException {
    expectProblem("found '\\x1b[2J'", "0,1,2\n1,\u001b[2J,3\n");
  }

  @Test
  void anEndlessLineIsRejected() throws IOException {
    Path file = folder.resolve("bomb.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      byte[] ones = "1".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 17; i++) {
        out.write(ones);
      }
    }
    String expected = "line 1: expected at most %d characters, found more";
    assertEquals(file + ": " + expected.formatted(DataLimits.CSV_LINE_CHARACTERS), problem(file));
  }

  @Property(tries = 1000)
  void anyTextIsReadOrRejected(
      @ForAll
          @Chars({',', ';', '\n', '\r', '\t', '.', '-', 'e', 'n', 'a', '\u001b', '\ufeff'})
          @CharRange(from = '0', to = '9')
          @StringLength(max = 60)
          String text)
      throws IOException {
    Path file = Files.createTempFile("fuzz", ".csv");
    try {
      expectReadOrRejected(Files.writeString(file, text));
    } finally {
      Files.delete(file);
    }
  }

  @Property(tries = 500)
  void anyBytesAreReadOrRejected(@ForAll @Size(max = 60) byte[] content) throws IOException {
    Path file = Files.createTempFile("fuzz", ".csv");
    try {
      expectReadOrRejected(Files.write(file, content));
    } finally {
      Files.delete(file);
    }
  }

  private static void expectReadOrRejected(Path file) throws IOException {
    try {
      assertTrue(count(read(file)) >= 2);
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
    }
  }
}
