package io.github.amb.plots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.w3c.dom.Document;

/** What is written of any string can be read by the parsers of others, and gives the string. */
class WellFormedTest {
  /** Any chars, also controls, halves of characters, and what the formats use themselves. */
  @Provide
  Arbitrary<String> hostile() {
    Arbitrary<Character> any = Arbitraries.chars().all();
    Arbitrary<Character> special =
        Arbitraries.of(
            '<', '>', '&', '"', '\'', ',', ';', '=', '+', '-', '@', '\t', '\n', '\r', '\0',
            '\u001b', '\u009b', '\u202e', '\ud800', '\udc00', '\ufffe', '\uffff', '\ufeff', '\\',
            '/', '.', ' ', ']', '1');
    return Arbitraries.oneOf(any, special).list().ofMaxSize(20).map(WellFormedTest::text);
  }

  private static String text(List<Character> chars) {
    StringBuilder text = new StringBuilder();
    chars.forEach(text::append);
    return text.toString();
  }

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static Drawing drawing(String label) {
    Axes frame = Axes.linear("panel", Quantity.real("x"), Quantity.real("y"), Mark.DOTS, false);
    Series series = new Series(0, List.of(new Point(1, 2), new Point(2, 3)));
    return new Drawing(List.of(new Content(frame, List.of(series))), List.of(label), "", List.of());
  }

  @Property(tries = 300)
  void plainTextIsNotChanged(@ForAll("hostile") String text) throws Exception {
    String plain = PlainText.of(text);
    String escaped = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    assertEquals(plain, parse("<a>" + escaped + "</a>").getDocumentElement().getTextContent());
    assertEquals(plain, PlainText.of(plain));
  }

  @Property(tries = 300)
  void textThatIsPlainIsNotChanged(@ForAll String text) {
    boolean plain =
        text.codePoints()
            .allMatch(c -> Character.isLetterOrDigit(c) || c == ' ' || c == '\n' || c == '<');
    assertTrue(!plain || PlainText.of(text).equals(text));
  }

  @Property(tries = 300)
  void noCharacterIsCutInTwo(@ForAll("hostile") String text) {
    String plain = PlainText.inOneLine(text);
    assertEquals(plain, PlainText.inOneLine(plain));
    String some = PlainText.shortened(plain, 8);
    assertEquals(some, PlainText.inOneLine(some));
    assertTrue(some.length() <= 8);
  }

  @Property(tries = 30)
  void figuresHaveTheirLabels(@ForAll("hostile") String label) throws Exception {
    String svg = Figures.svg(drawing(label), View.PLAIN, PanelSize.DEFAULT);
    String text = parse(svg).getDocumentElement().getTextContent();
    assertTrue(text.contains(PlainText.inOneLine(label).strip()), text);
  }

  @Property(tries = 10)
  void everyFormatIsWritten(@ForAll("hostile") String label) throws IOException {
    Path folder = Files.createTempDirectory("figures");
    try {
      List<Path> files =
          Figures.write(
                  drawing(label),
                  View.PLAIN,
                  PanelSize.DEFAULT,
                  List.of(FigureFormat.PNG, FigureFormat.PDF),
                  folder.resolve("figure"))
              .files();
      assertTrue(ImageIO.read(files.get(0).toFile()).getWidth() > 100);
      try (PDDocument pdf = Loader.loadPDF(files.get(1).toFile())) {
        assertEquals(1, pdf.getNumberOfPages());
      }
    } finally {
      for (String name : List.of("figure.png", "figure.pdf")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }

  @Property(tries = 1000)
  void csvGivesTheTextsBack(@ForAll("hostile") String first, @ForAll("hostile") String second) {
    List<List<String>> lines = parseCsv(CsvLine.of(List.of(first, 1.5, second)));
    assertEquals(1, lines.size());
    assertEquals(List.of(shown(first), "1.5", shown(second)), lines.get(0));
  }

  private static String shown(String text) {
    String plain = PlainText.of(text);
    boolean number = plain.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    boolean formula = !plain.isEmpty() && "=+-@\t\n＝＋－＠".indexOf(plain.charAt(0)) >= 0;
    return formula && !number ? "'" + plain : plain;
  }

  @Property(tries = 1000)
  void noCellIsAFormula(@ForAll("hostile") String text) {
    for (String sign : List.of("=", "+", "-", "@", "\t=", "\r=", "\n=", "＝")) {
      String cell = parseCsv(CsvLine.of(List.of(sign + "A" + text))).get(0).get(0);
      assertFalse("=+-@\t\r\n＝".indexOf(cell.charAt(0)) >= 0, cell);
    }
    assertEquals("-1.5e3,=\n".replace("=", "'="), CsvLine.of(List.of("-1.5e3", "=")));
  }

  /** RFC 4180. */
  private static List<List<String>> parseCsv(String text) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        cell.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == ',' || c == '\n')) {
        line.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          lines.add(line);
          line = new ArrayList<>();
        }
      } else {
        cell.append(c);
      }
    }
    return lines;
  }

  @Property(tries = 1000)
  void aFileNameIsOnePartOfAPath(@ForAll("hostile") String name) {
    for (String some : List.of(name, ".." + name, "/" + name, name.repeat(30))) {
      String part = FileNames.part(some);
      Path folder = Path.of("/folder");
      Path file = folder.resolve(part);
      assertEquals(folder, file.normalize().getParent(), part);
      assertTrue(part.getBytes(StandardCharsets.UTF_8).length <= 200, part);
      String joined = FileNames.join(List.of(some, "b"));
      assertTrue(joined.getBytes(StandardCharsets.UTF_8).length <= 200, joined);
    }
  }
}
