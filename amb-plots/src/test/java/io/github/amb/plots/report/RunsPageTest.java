package io.github.amb.plots.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.summary.SummaryTarget;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

class RunsPageTest {
  private static final Pattern IMAGE =
      Pattern.compile("<img alt=\"(\\w+)\" src=\"data:image/svg\\+xml;base64,([^\"]+)\"/>");

  @TempDir Path folder;

  @Test
  void pageNeedsNothingElse() {
    String page = page(new ExampleRun("fmb"), new ExampleRun("amb").secondsPerStep(1));

    assertFalse(page.contains("<link"));
    assertFalse(page.contains("@import"));
    assertTrue(page.contains("content=\"default-src 'none'; img-src data:;"));
    List<String> sources =
        Pattern.compile("<[^>]*(?:src|href)=\"([^\"]{0,5})")
            .matcher(page)
            .results()
            .map(source -> source.group(1))
            .distinct()
            .toList();
    assertEquals(List.of("data:"), sources);
  }

  @Test
  void figuresAreDrawings() throws Exception {
    Matcher image = IMAGE.matcher(page(new ExampleRun("fmb"), new ExampleRun("amb")));
    List<String> names = new ArrayList<>();
    while (image.find()) {
      names.add(image.group(1));
      byte[] svg = Base64.getDecoder().decode(image.group(2));
      assertEquals("svg", parse(svg).getDocumentElement().getNodeName());
    }
    assertTrue(
        names.containsAll(
            List.of("accuracy_vs_time", "hist_compute_time", "bytes_per_update", "timeline")),
        names.toString());
  }

  @Test
  void resultsComeFirst() {
    String page = page(new ExampleRun("fmb"), new ExampleRun("amb").secondsPerStep(1));

    assertTrue(page.indexOf("<section id=\"results\">") < page.indexOf("<section id=\"figures\">"));
    String results = section(page, "results");
    for (String heading : List.of("accuracy final", "accuracy best", "time (s)", "speed-up")) {
      assertTrue(results.contains("<th>" + heading), results);
    }
    assertTrue(results.contains(">2.00</td>"), "amb needs half of the time");
  }

  @Test
  void curvesAreInThePageAsNumbers() throws Exception {
    String page = page(new ExampleRun("fmb").steps(3).evaluateEvery(0), new ExampleRun("amb"));

    JsonNode loss = curves(page).get(0);

    assertEquals("loss_vs_step", loss.path("name").asText());
    assertEquals(
        List.of("fmb rms 64", "amb rms 64"), loss.path("curves").findValuesAsText("label"));
    assertEquals(40, loss.path("rows").size());
    assertTrue(loss.at("/rows/2/1").isNumber() && loss.at("/rows/3/1").isNull());
  }

  private static JsonNode curves(String page) throws Exception {
    String json =
        parse(page.getBytes(StandardCharsets.UTF_8))
            .getElementsByTagName("script")
            .item(0)
            .getTextContent();
    return new ObjectMapper().readTree(json);
  }

  private String pageOfThreeSeeds() {
    return page(
        new ExampleRun("fmb").id("1").seed(1),
        new ExampleRun("fmb").id("2").seed(2),
        new ExampleRun("fmb").id("3").seed(3),
        new ExampleRun("amb").secondsPerStep(1));
  }

  @Test
  void severalSeedsHaveABand() throws Exception {
    String page = pageOfThreeSeeds();
    JsonNode loss = curves(page).get(0);

    assertEquals(List.of("true", "false"), loss.path("curves").findValuesAsText("band"));
    JsonNode row = loss.at("/rows/0");
    assertEquals(5, row.size(), "x, two curves, the ends of one band");
    assertTrue(row.get(3).asDouble() < row.get(1).asDouble(), row.toString());
    assertTrue(row.get(1).asDouble() < row.get(4).asDouble(), row.toString());
    assertTrue(page.contains("Mean over seeds with the 95 % confidence interval"));
  }

  @Test
  void tablesHaveSummaryDifferencesAndEndings() {
    String page =
        page(
            new ExampleRun("fmb").with("workers", 2),
            new ExampleRun("amb").with("workers", 2).with("amb-time-limit", 6.5));

    String differences = section(page, "differences");
    assertTrue(
        differences.contains(">amb-time-limit</td><td data-label=\"fmb rms 64\">–</td>"),
        differences);
    assertFalse(differences.contains(">workers</td>"), "the same in both");
    assertTrue(section(page, "configuration").contains(">workers</td>"));
    assertTrue(section(page, "endings").contains("all steps done"));
    assertTrue(section(page, "summary").contains(">5120</td>"), "40 steps of 2 times 64");
  }

  @Test
  void textIsOnlyText() {
    String page = page(new ExampleRun("fmb").with("note", "<b>&\"'</b>"), new ExampleRun("amb"));

    assertFalse(page.contains("<b>"));
    assertTrue(page.contains("&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;"));
  }

  /** A page that an XML parser takes has no tag or quote left open. */
  @Test
  void pageIsWellFormedWhateverTheStrings() throws Exception {
    String hostile = "</td><script>\u0000\u001b[2J\uffff]]>&amp;\"'<!--";
    String page =
        page(new ExampleRun("fmb").with("note", hostile).with(hostile, 1), new ExampleRun("amb"));

    parse(page.getBytes(StandardCharsets.UTF_8));
    assertTrue(page.contains("\\x00\\x1b[2J\\uffff"));
    assertEquals(3, page.split("<script", -1).length - 1, "the library, the own one and its data");
  }

  private static Document parse(byte[] xml) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml));
  }

  @Test
  void emptyRunHasAPageToo() {
    String page = page(new ExampleRun("fmb").steps(0).workers(0));

    assertTrue(page.contains("Nothing was recorded"));
    assertTrue(page.contains("There is one run."));
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 480})
  @Tag("lab")
  void chromiumShowsTheCurves(int width) throws Exception {
    Path chromium = chromium();
    String source = page(new ExampleRun("fmb"), new ExampleRun("amb").secondsPerStep(1));
    Path page = Files.writeString(folder.resolve("page.html"), framed(source, width));

    long blue = IntStream.of(pixels(chromium, page, width)).filter(RunsPageTest::isLine).count();
    assertTrue(blue > 300, "the lines of the figures are on the page: " + blue);

    String shown = chromium(chromium, page, "--dump-dom");
    assertTrue(shown.contains("data-wide=\"" + width + "\""), "the page fits its window");
    assertTrue(shown.contains("data-plots=\"6\""), "each panel of curves has a plot");
  }

  @Test
  @Tag("lab")
  void chromiumPaintsTheBands() throws Exception {
    Path chromium = chromium();
    Path page = Files.writeString(folder.resolve("page.html"), framed(pageOfThreeSeeds(), 1280));

    Matcher band =
        Pattern.compile("data-band=\"(\\d+)\"").matcher(chromium(chromium, page, "--dump-dom"));
    assertTrue(band.find() && Integer.parseInt(band.group(1)) > 300, "pixels of the loss's band");
  }

  private int[] pixels(Path chromium, Path page, int width) throws Exception {
    Path picture = folder.resolve("page.png");
    chromium(chromium, page, "--window-size=1300,4000", "--screenshot=" + picture);
    BufferedImage image = ImageIO.read(picture.toFile());
    return image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
  }

  private static Path chromium() {
    Path chromium =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(chromium != null, "no Chromium on this machine: the page was not looked at");
    return chromium;
  }

  /**
   * A page that measures the other one in a frame, as windows have a smallest width. A band has an
   * opacity of its own.
   */
  private static String framed(String page, int width) {
    return """
    <!DOCTYPE html><html><body style="margin: 0">
    <iframe id="page" style="border: 0" width="%d" height="3900" srcdoc="%s"></iframe>
    <script>
    const frame = document.getElementById("page");
    frame.onload = () => {
      const inside = frame.contentDocument;
      document.body.dataset.wide = Math.max(inside.documentElement.scrollWidth, %1$d);
      document.body.dataset.plots = inside.querySelectorAll(".uplot canvas").length;
      const canvas = inside.querySelector("#curves-loss_vs_step canvas");
      const colors = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      document.body.dataset.band = colors.filter((c, i) => i %% 4 === 3 && c === 0x33).length;
    };
    </script></body></html>
    """
        .formatted(width, page.replace("&", "&amp;").replace("\"", "&quot;"));
  }

  private String chromium(Path program, Path page, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile")));
    command.addAll(List.of(options));
    command.add(page.toUri().toString());
    Path output = Files.createTempFile(folder, "chromium", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "Chromium did not end");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(output);
  }

  /** About the color of the first line, which may be scaled. */
  private static boolean isLine(int pixel) {
    int red = pixel >> 16 & 0xFF;
    int green = pixel >> 8 & 0xFF;
    int blue = pixel & 0xFF;
    return red < 0x60 && green > 0x50 && green < 0xA0 && blue > 0x90;
  }

  private static String section(String page, String id) {
    int start = page.indexOf("<section id=\"" + id + "\">");
    return page.substring(start, page.indexOf("</section>", start));
  }

  @Test
  void classesOfWorkersAreAHeatMap() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    RunInfo info = run.read();
    assertFalse(page(run).contains("id=\"shards\""));

    run.write(info.withEnvironment(Map.of(RunInfo.CLASSES_OF_WORKERS, "[[7, 0], [3, 14]]")));
    String page = page(run);
    assertTrue(page.contains("<tr><th>2</th>"), page);
    assertTrue(page.contains("0.40)\">7</td>"), page);
    assertTrue(page.contains("0.00)\">0</td></tr>"), page);
    assertTrue(page.contains("0.80)\">14</td>"), page);
    for (String spoiled : List.of("[[", "{}", "[]", "[[]]", "[null]", "[[1], []]", "null")) {
      run.write(info.withEnvironment(Map.of(RunInfo.CLASSES_OF_WORKERS, spoiled)));
      assertTrue(page(run).contains("id=\"results\""), spoiled);
    }
  }

  private static String page(RunDirectory run) {
    return RunsPage.of(RunReader.readAll(List.of(run)), SummaryTarget.USUAL);
  }

  private String page(ExampleRun... runs) {
    List<Run> read = RunReader.readAll(Stream.of(runs).map(run -> run.write(folder)).toList());
    return RunsPage.of(read, SummaryTarget.USUAL);
  }
}
