package io.github.amb.plots.figure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class FiguresTest {
  @TempDir Path folder;

  @Test
  void csvHasThePlottedPoints() throws IOException {
    RunDirectory run = new ExampleRun("fmb").steps(4).evaluateEvery(2).write(folder);

    // Accuracy is 1 - 1 / (1.1 + step / 4), loss 2.3 exp(-step / 20) + 0.02 ((7 step + 3) mod 5).
    assertEquals(
        """
        panel,run,x,y,low,high
        accuracy_vs_time,fmb rms 64,4,0.375,0.375,0.375
        accuracy_vs_time,fmb rms 64,8,0.523809524,0.523809524,0.523809524
        loss_vs_step,fmb rms 64,1,2.18782768,2.18782768,2.18782768
        loss_vs_step,fmb rms 64,2,2.12112606,2.12112606,2.12112606
        loss_vs_step,fmb rms 64,3,2.05962835,2.05962835,2.05962835
        loss_vs_step,fmb rms 64,4,1.90308073,1.90308073,1.90308073
        hist_batch_size,fmb rms 64,63.5,0,0,0
        hist_batch_size,fmb rms 64,63.5,100,100,100
        hist_batch_size,fmb rms 64,64.5,0,0,0
        """,
        csv(List.of(run), View.PLAIN, "accuracy_vs_time", "loss_vs_step", "hist_batch_size"));
  }

  @Test
  void csvOfSeedsHasMeanAndBand() throws IOException {
    ExampleRun one = new ExampleRun("amb").id("a").seed(0).steps(4).evaluateEvery(4);
    ExampleRun two = new ExampleRun("amb").id("b").seed(10).steps(4).evaluateEvery(4);

    // Accuracy is 1 - 1/2 and 1 - 1/3.
    assertEquals(
        """
        panel,run,x,y,low,high
        accuracy_vs_step,amb rms 64 (2 seeds),4,0.583333333,0.5,0.666666667
        """,
        csv(List.of(one.write(folder), two.write(folder)), View.PLAIN, "accuracy_vs_step"));
  }

  @Test
  void viewIsCutAtXMax() throws IOException {
    RunDirectory run =
        new ExampleRun("fmb").seed(0).steps(6).evaluateEvery(1).secondsPerStep(0.5).write(folder);
    OptionalDouble none = OptionalDouble.empty();
    View view = View.within(OptionalDouble.of(1.2), none, none, none);

    String csv = csv(List.of(run), view, "step_vs_time");

    assertEquals(
        List.of("0.5,1", "1,2", "1.5,3"),
        csv.lines().skip(1).map(line -> line.replaceAll(".*64,(.*),\\d,\\d$", "$1")).toList());
  }

  @Test
  void svgHasEveryPanelWithItsLines() throws Exception {
    List<RunDirectory> runs = threeRuns();

    Element svg = svg(main(runs, FigureFormat.SVG));

    Map<String, Element> parts = parts(svg);
    Set<String> expected =
        new HashSet<>(Panels.ofType(Panels.MAIN).stream().map(Panel::name).toList());
    expected.addAll(Set.of("background", "legend"));
    assertEquals(expected, parts.keySet());
    for (Panel panel : Panels.ofType(Panels.MAIN)) {
      Element part = parts.get(panel.name());
      assertTrue(texts(part).contains(panel.frame().x().label()), panel.name());
      assertTrue(texts(part).contains(panel.frame().y().label()), panel.name());
      assertEquals(
          Set.of("rgb(0,114,178)", "rgb(213,94,0)", "rgb(0,158,115)"), colors(part), panel.name());
    }
    assertEquals(List.of("fmb rms 64", "amb rms 96", "async rms 64"), texts(parts.get("legend")));
  }

  @Test
  void svgIsSelfContainedText() throws Exception {
    Path file = main(threeRuns(), FigureFormat.SVG);
    String text = Files.readString(file);

    assertFalse(text.contains("<!--"));
    assertFalse(text.contains("<!DOCTYPE"));
    assertFalse(text.contains("<image"));
    List<String> ids = new ArrayList<>();
    NodeList elements = svg(file).getElementsByTagName("*");
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      if (element.hasAttribute("id")) {
        ids.add(element.getAttribute("id"));
      }
      String font = element.getAttribute("font-family");
      assertTrue(font.isEmpty() || font.endsWith("sans-serif"), font);
    }
    assertEquals(ids.size(), new HashSet<>(ids).size(), "ids are unique");
  }

  @Test
  void pngHasEachLinesColor() throws IOException {
    Path file = main(threeRuns(), FigureFormat.PNG);

    BufferedImage image = ImageIO.read(file.toFile());

    assertEquals(Math.round(3 * 3.6 * 200), image.getWidth());
    assertTrue(image.getHeight() > 3 * 2.7 * 200 && image.getHeight() < 3 * 2.7 * 200 + 120);
    for (int color : new int[] {0x0072B2, 0xD55E00, 0x009E73}) {
      assertTrue(count(image, color) > 500, "%06x is drawn".formatted(color));
    }
    for (int x = 0; x < image.getWidth(); x++) {
      assertEquals(0xFFFFFF, image.getRGB(x, image.getHeight() - 1) & 0xFFFFFF);
    }
    String bytes = new String(Files.readAllBytes(file), ISO_8859_1);
    assertTrue(bytes.contains("pHYs"));
    assertFalse(bytes.contains("tIME"));
  }

  @Test
  void sameInputGivesTheSameBytes() throws IOException {
    List<RunDirectory> runs = threeRuns();

    List<Path> first = pngAndSvg(runs, folder.resolve("first"));
    List<Path> second = pngAndSvg(runs, folder.resolve("deep/second"));

    assertEquals(List.of(folder.resolve("first.png"), folder.resolve("first.svg")), first);
    assertEquals(
        List.of(folder.resolve("deep/second.png"), folder.resolve("deep/second.svg")), second);
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(Files.readAllBytes(first.get(i)), Files.readAllBytes(second.get(i)));
    }
  }

  @Test
  void seedsAreDrawnAsOneLineWithABand() throws Exception {
    List<RunDirectory> runs =
        IntStream.range(1, 4)
            .mapToObj(i -> new ExampleRun("amb").id("s" + i).seed(i).write(folder))
            .toList();

    Map<String, Element> parts = parts(svg(main(runs, FigureFormat.SVG)));

    assertEquals(List.of("amb rms 64 (3 seeds)"), texts(parts.get("legend")));
    assertEquals(
        "Mean over seeds with the 95 % confidence interval of the mean (Student's t);"
            + " of two seeds, minimum to maximum.",
        String.join(" ", texts(parts.get("caption"))));
    assertTrue(hasBand(parts.get("loss_vs_step")));
    assertFalse(hasBand(parts.get("learning_rate_vs_step")));
  }

  @Test
  void valuesStandAboveFewBars() throws Exception {
    List<Run> runs = RunReader.readAll(threeRuns());
    Drawing drawing = RunPanels.draw(runs, List.of(Panels.named("bytes_per_update")), View.PLAIN);
    Path file =
        Figures.write(
                drawing,
                View.PLAIN,
                PanelSize.DEFAULT,
                List.of(FigureFormat.SVG),
                folder.resolve("bars"))
            .files()
            .get(0);

    // 4000 bytes a step of each run.
    assertEquals(3, Collections.frequency(texts(svg(file)), "0.00400"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void pdfHasEveryPanel(int count) throws IOException {
    List<RunDirectory> runs =
        IntStream.range(0, count)
            .mapToObj(i -> new ExampleRun("amb-dg").id("r" + i).batchSize(64 + i))
            .map(run -> run.with("induce", "niagara").with("async-delay-std", 0.1))
            .map(run -> run.with("workers", 2).steps(8).write(folder))
            .toList();
    List<Panel> panels =
        Stream.of("panel_all", "esync").flatMap(type -> Panels.ofType(type).stream()).toList();
    Drawing drawing = RunPanels.draw(RunReader.readAll(runs), panels, View.PLAIN);
    assertEquals(panels.size() - 1, drawing.contents().size(), "all but accuracy_non_iid");

    byte[] pdf = FigureFormat.PDF.bytes(new Figure(drawing, View.PLAIN, PanelSize.DEFAULT));

    try (PDDocument document = Loader.loadPDF(pdf)) {
      Set<COSName> parts = new HashSet<>();
      document.getPage(0).getResources().getXObjectNames().forEach(parts::add);
      assertEquals(drawing.contents().size() + 3, parts.size(), "and background, legend, caption");
    }
  }

  @Test
  void namesThatDoNotFitSideBySideStandUpright() throws Exception {
    RunDirectory run = new ExampleRun("esync").workers(9).write(folder);
    Path file =
        write(
                RunReader.readAll(List.of(run)),
                Panels.ofType("computing_time_ratio"),
                View.PLAIN,
                PanelSize.DEFAULT,
                List.of(FigureFormat.SVG),
                folder.resolve("names"))
            .files()
            .get(0);

    List<String> texts = texts(svg(file));

    for (int rank = 1; rank <= 9; rank++) {
      assertTrue(texts.contains("worker " + rank), texts.toString());
    }
  }

  /** A panel is 194 points high. */
  @Test
  void aLegendIsLowerThanThePanel() throws Exception {
    List<Run> runs =
        IntStream.range(0, 15)
            .mapToObj(
                i -> new ExampleRun("amb").id("r" + i).with("amb-time-limit", i).write(folder))
            .map(RunReader::read)
            .toList();
    Drawing drawing = RunPanels.draw(runs, Panels.ofType("accuracy_vs_time"), View.PLAIN);

    String svg = Figures.svg(drawing, View.PLAIN, PanelSize.DEFAULT);

    double height = Double.parseDouble(svg.replaceFirst("(?s).*? height=\"([0-9.]+)pt.*", "$1"));
    assertTrue(height < 1.6 * 72 * PanelSize.DEFAULT.height(), "height is " + height);
  }

  @Test
  void twoHundredRunsAtOnce() throws Exception {
    List<RunDirectory> runs =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    new ExampleRun("amb")
                        .id("r" + i)
                        .with("amb-time-limit", i)
                        .steps(10)
                        .secondsPerStep(1 + i / 100.0)
                        .write(folder))
            .toList();

    Figures.Written written =
        write(
            RunReader.readAll(runs),
            Panels.ofType("accuracy_vs_time"),
            View.PLAIN,
            PanelSize.DEFAULT,
            List.of(FigureFormat.values()),
            folder.resolve("many"));

    Map<String, Element> parts = parts(svg(written.files().get(1)));
    assertEquals(200, texts(parts.get("legend")).size());
    assertEquals(7, colors(parts.get("accuracy_vs_time")).size());
    assertTrue(ImageIO.read(written.files().get(0).toFile()).getHeight() > 2.7 * 200 * 5);
    assertEquals(1 + 200 * 2, Files.readAllLines(written.files().get(3)).size());
    assertEquals(List.of("200 lines: colors and dashes repeat after 42"), written.notes());
  }

  @Test
  void stepsWithoutALossAreAGapAndAMark() throws IOException {
    RunDirectory run = new ExampleRun("fmb").steps(4).evaluateEvery(0).write(folder);
    Files.writeString(
        run.masterLog(),
        Files.readString(run.masterLog()).replaceAll("\"loss\":2\\.05\\d+", "\"loss\":\"NaN\""));

    List<String> lines = csv(List.of(run), View.PLAIN, "loss_vs_step").lines().toList();
    assertEquals(1 + 4, lines.size());
    assertEquals(
        1, lines.stream().filter(line -> line.endsWith(",3,,,")).count(), lines.toString());
    Series line =
        new Series(0, List.of(new Point(1, 5), new Point(2, Double.NaN), new Point(3, 4)));
    assertEquals(List.of(List.of(new Point(1, 5)), List.of(new Point(3, 4))), line.parts());
    assertEquals(List.of(new Point(1, 5)), line.ends());
  }

  @Test
  void panelsWithoutDataAreNoted() throws IOException {
    RunDirectory blind = new ExampleRun("fmb").evaluateEvery(0).write(folder);
    RunDirectory empty = new ExampleRun("amb").steps(0).workers(0).write(folder);

    Figures.Written written =
        write(
            RunReader.readAll(List.of(blind, empty)),
            Panels.ofType(Panels.MAIN),
            View.PLAIN,
            PanelSize.DEFAULT,
            List.of(FigureFormat.CSV),
            folder.resolve("f"));

    assertEquals(
        List.of(
            empty.path() + ": nothing recorded yet, left out",
            "accuracy_vs_step: no data of 'fmb rms 64'",
            "accuracy_vs_time: no data of 'fmb rms 64'"),
        written.notes());
    assertFalse(Files.readString(written.files().get(0)).contains("accuracy"));
    UsageException nothing =
        assertThrows(UsageException.class, () -> pngAndSvg(List.of(empty), folder.resolve("g")));
    assertEquals(
        empty.path()
            + ": nothing to plot: expected steps or evaluations in master.jsonl, found none",
        nothing.getMessage());
  }

  private List<RunDirectory> threeRuns() {
    return Stream.of(
            new ExampleRun("fmb"),
            new ExampleRun("amb").batchSize(96).secondsPerStep(1),
            new ExampleRun("async").secondsPerStep(0.5))
        .map(run -> run.write(folder))
        .toList();
  }

  private static Figures.Written write(
      List<Run> runs,
      List<Panel> panels,
      View view,
      PanelSize size,
      List<FigureFormat> formats,
      Path prefix)
      throws IOException {
    return Figures.write(RunPanels.draw(runs, panels, view), view, size, formats, prefix);
  }

  private static List<Path> pngAndSvg(List<RunDirectory> runs, Path prefix) throws IOException {
    return write(
            RunReader.readAll(runs),
            Panels.ofType(Panels.MAIN),
            View.PLAIN,
            PanelSize.DEFAULT,
            List.of(FigureFormat.PNG, FigureFormat.SVG),
            prefix)
        .files();
  }

  private Path main(List<RunDirectory> runs, FigureFormat format) throws IOException {
    return write(
            RunReader.readAll(runs),
            Panels.ofType(Panels.MAIN),
            View.PLAIN,
            PanelSize.DEFAULT,
            List.of(format),
            folder.resolve("main"))
        .files()
        .get(0);
  }

  private String csv(List<RunDirectory> runs, View view, String... panels) throws IOException {
    Figures.Written written =
        write(
            RunReader.readAll(runs),
            Stream.of(panels).map(Panels::named).toList(),
            view,
            PanelSize.DEFAULT,
            List.of(FigureFormat.CSV),
            folder.resolve("csv"));
    return Files.readString(written.files().get(0), UTF_8);
  }

  private static Element svg(Path file) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(file.toFile())
        .getDocumentElement();
  }

  /** The groups below the root, by id. */
  private static Map<String, Element> parts(Element svg) {
    Map<String, Element> parts = new HashMap<>();
    for (var node = svg.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element part) {
        parts.put(part.getAttribute("id"), part);
      }
    }
    return parts;
  }

  private static List<String> texts(Element part) {
    NodeList nodes = part.getElementsByTagName("text");
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }

  /** Colors of the lines, which alone are paths with a stroke of their own. */
  private static Set<String> colors(Element part) {
    Set<String> colors = new HashSet<>();
    NodeList paths = part.getElementsByTagName("path");
    for (int i = 0; i < paths.getLength(); i++) {
      String color = inherited((Element) paths.item(i), "stroke");
      if (!Set.of("", "none").contains(color) && !inClip((Element) paths.item(i))) {
        colors.add(color);
      }
    }
    return colors;
  }

  private static boolean hasBand(Element part) {
    NodeList elements = part.getElementsByTagName("*");
    return IntStream.range(0, elements.getLength())
        .mapToObj(i -> (Element) elements.item(i))
        .anyMatch(element -> element.getAttribute("opacity").equals("0.2"));
  }

  private static boolean inClip(Element path) {
    return path.getParentNode().getNodeName().equals("clipPath");
  }

  private static String inherited(Element element, String attribute) {
    for (var node = element; node != null; node = parent(node)) {
      if (!node.getAttribute(attribute).isEmpty()) {
        return node.getAttribute(attribute);
      }
    }
    return "";
  }

  private static Element parent(Element element) {
    return element.getParentNode() instanceof Element parent ? parent : null;
  }

  private static long count(BufferedImage image, int color) {
    int width = image.getWidth();
    int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
    return IntStream.of(pixels).filter(pixel -> (pixel & 0xFFFFFF) == color).count();
  }
}
