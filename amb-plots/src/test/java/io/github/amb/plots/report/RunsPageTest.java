package io.github.amb.plots.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalDouble;
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

class RunsPageTest {
  private static final Pattern IMAGE =
      Pattern.compile("<img alt=\"(\\w+)\" src=\"data:image/svg\\+xml;base64,([^\"]+)\"/>");

  @TempDir Path folder;

  @Test
  void pageNeedsNothingElse() {
    String page = page(new ExampleRun("fmb"), new ExampleRun("amb").secondsPerStep(1));

    assertFalse(page.contains("<script"));
    assertFalse(page.contains("<link"));
    assertFalse(page.contains("@import"));
    Matcher source = Pattern.compile("(?:src|href)=\"([^\"]{0,5})").matcher(page);
    while (source.find()) {
      assertEquals("data:", source.group(1));
    }
  }

  @Test
  void figuresAreDrawings() throws Exception {
    Matcher image = IMAGE.matcher(page(new ExampleRun("fmb"), new ExampleRun("amb")));
    List<String> names = new ArrayList<>();
    while (image.find()) {
      names.add(image.group(1));
      byte[] svg = Base64.getDecoder().decode(image.group(2));
      assertEquals(
          "svg",
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(svg))
              .getDocumentElement()
              .getNodeName());
    }
    assertEquals(List.of("Progress", "Distributions", "Traffic", "Timeline"), names);
  }

  @Test
  void tablesHaveSummaryDifferencesAndEndings() {
    String page =
        page(
            new ExampleRun("fmb").with("workers", 2),
            new ExampleRun("amb").with("workers", 2).with("amb-time-limit", 6.5));

    String differences = section(page, "differences");
    assertTrue(differences.contains("<td>amb-time-limit</td><td>–</td><td>6.5</td>"), differences);
    assertFalse(differences.contains("<td>workers</td>"), "the same in both");
    assertTrue(section(page, "configuration").contains("<td>workers</td><td>2</td><td>2</td>"));
    assertTrue(section(page, "endings").contains("all steps done"));
    assertTrue(section(page, "summary").contains("<td>5120</td>"), "40 steps of 2 times 64");
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

    DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)));
    assertTrue(page.contains("\\x00\\x1b[2J\\uffff"));
    assertFalse(page.contains("<script"));
  }

  @Test
  void emptyRunHasAPageToo() {
    String page = page(new ExampleRun("fmb").steps(0).workers(0));

    assertTrue(page.contains("Nothing was recorded"));
    assertTrue(page.contains("There is one run."));
  }

  @Test
  @Tag("system")
  void chromiumShowsTheFigures() throws Exception {
    Path chromium =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(chromium != null, "no Chromium on this machine: the page was not looked at");
    Path page = Files.writeString(folder.resolve("page.html"), page(new ExampleRun("fmb")));
    Path picture = folder.resolve("page.png");

    Process process =
        new ProcessBuilder(
                chromium.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + folder.resolve("profile"),
                "--window-size=1200,3000",
                "--screenshot=" + picture,
                page.toUri().toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("chromium.log").toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "ends in time");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }

    BufferedImage image = ImageIO.read(picture.toFile());
    int width = image.getWidth();
    int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
    long blue = IntStream.of(pixels).filter(RunsPageTest::isLine).count();
    assertTrue(blue > 300, "the lines of the figures are on the page: " + blue);
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

  private String page(ExampleRun... runs) {
    List<Run> read = RunReader.readAll(Stream.of(runs).map(run -> run.write(folder)).toList());
    return RunsPage.of(read, OptionalDouble.empty());
  }
}
