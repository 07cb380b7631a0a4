package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of equal input have equal bytes, in every year and on every machine. */
class GoldenFigureTest {
  private static final String REMEDY =
      "; if the change is meant, take the new file from target/golden";

  @TempDir Path folder;

  @Test
  void csvIsTheGoldenOne() throws IOException {
    check("figure.csv", FigureFormat.CSV.bytes(figure()));
  }

  @Test
  void svgIsTheGoldenOne() throws IOException {
    assumeTrue(
        Theme.LABEL.getFamily().equals(Theme.FAMILY),
        Theme.FAMILY + " is not installed, so letters have other widths: not compared");
    check("figure.svg", FigureFormat.SVG.bytes(figure()));
  }

  @Test
  void pdfIsReproducible() throws IOException {
    byte[] first = FigureFormat.PDF.bytes(figure());

    assertArrayEquals(first, FigureFormat.PDF.bytes(figure()));
    try (PDDocument document = Loader.loadPDF(first)) {
      assertEquals(1, document.getNumberOfPages());
      PDRectangle page = document.getPage(0).getMediaBox();
      assertEquals(2 * 3.6 * 72, page.getWidth(), 0.1);
      assertEquals(4, parts(document), "two panels, the background and the legend");
    }
  }

  private static int parts(PDDocument document) {
    int parts = 0;
    for (var name : document.getPage(0).getResources().getXObjectNames()) {
      parts += name == null ? 0 : 1;
    }
    return parts;
  }

  private Figure figure() {
    List<Run> runs =
        Stream.of(
                new ExampleRun("fmb").steps(5).evaluateEvery(1),
                new ExampleRun("amb").steps(5).evaluateEvery(1).secondsPerStep(1))
            .map(run -> RunReader.read(run.write(makeFolder())))
            .toList();
    return new Figure(
        RunPanels.draw(
            runs,
            List.of(Panels.named("accuracy_vs_time"), Panels.named("hist_compute_time")),
            View.PLAIN),
        View.PLAIN,
        PanelSize.DEFAULT);
  }

  private Path makeFolder() {
    try {
      return Files.createTempDirectory(folder, "runs");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(String name, byte[] found) throws IOException {
    Path actual = Files.createDirectories(Path.of("target/golden")).resolve(name);
    Files.write(actual, found);
    try (InputStream golden = GoldenFigureTest.class.getResourceAsStream(name)) {
      String expected =
          golden == null ? "" : new String(golden.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(expected, new String(found, StandardCharsets.UTF_8), name + REMEDY);
    }
  }
}
