package io.github.amb.plots.figure;

import io.github.amb.plots.OutputFile;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.View;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes drawings to files and images. */
public final class Figures {
  private static final double SCREEN_DOTS_PER_INCH = 100;

  private Figures() {}

  /**
   * The result of writing a figure.
   *
   * @param files in the order of the formats
   * @param notes messages about missing parts of the figure, one line each
   */
  public record Written(List<Path> files, List<String> notes) {}

  /**
   * Writes a drawing to files.
   *
   * @param drawing one or more panels
   * @param view what part of the data is drawn
   * @param size size of a panel
   * @param formats kinds of file to write
   * @param prefix path of the files without their extensions; its folder is made
   * @throws MissingFontsException if Java finds no fonts
   * @throws IOException if a file cannot be written
   */
  public static Written write(
      Drawing drawing, View view, PanelSize size, List<FigureFormat> formats, Path prefix)
      throws IOException {
    Figure figure = new Figure(drawing, view, size);
    Files.createDirectories(prefix.toAbsolutePath().getParent());
    List<byte[]> contents = formats.parallelStream().map(format -> bytes(figure, format)).toList();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < formats.size(); i++) {
      String name = prefix.getFileName() + "." + formats.get(i).extension();
      files.add(OutputFile.write(prefix.resolveSibling(name), contents.get(i)));
    }
    return new Written(files, notes(drawing));
  }

  /**
   * A drawing as SVG, for a page that holds others too.
   *
   * @throws MissingFontsException if Java finds no fonts
   */
  public static String svg(Drawing drawing, View view, PanelSize size) {
    byte[] svg = bytes(new Figure(drawing, view, size), FigureFormat.SVG);
    return new String(svg, StandardCharsets.UTF_8);
  }

  /**
   * A drawing as an image of 100 dots per inch, for a window.
   *
   * @throws MissingFontsException if Java finds no fonts
   */
  public static BufferedImage image(Drawing drawing, View view, PanelSize size) {
    return PngFormat.image(new Figure(drawing, view, size), SCREEN_DOTS_PER_INCH);
  }

  private static byte[] bytes(Figure figure, FigureFormat format) {
    stayHeadless();
    return format.bytes(figure);
  }

  private static List<String> notes(Drawing drawing) {
    List<String> notes = new ArrayList<>(drawing.notes());
    int lines = drawing.labels().size();
    if (lines > LineStyle.COUNT) {
      notes.add("%s lines: colors and dashes repeat after %s".formatted(lines, LineStyle.COUNT));
    }
    return notes;
  }

  /** Makes drawing into files independent of a display, which may be unreachable. */
  private static void stayHeadless() {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }
}
