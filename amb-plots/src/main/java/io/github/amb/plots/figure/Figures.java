package io.github.amb.plots.figure;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws runs side by side and writes the figures to files. */
public final class Figures {
  private Figures() {}

  /**
   * What was written, and what the user should know about it.
   *
   * @param files in the order of the formats asked for
   * @param notes what is missing in the figure, one line each
   */
  public record Written(List<Path> files, List<String> notes) {}

  /**
   * Draws {@link Panels#MAIN} of runs as PNG and SVG.
   *
   * @param runs one or more run directories
   * @param prefix path of the files without their extensions; its folder is made
   * @return the PNG's path and the SVG's
   * @throws UsageException if a run cannot be read or there is nothing to plot
   * @throws MissingFontsException if Java finds no fonts
   * @throws IOException if a file cannot be written
   */
  public static List<Path> write(List<RunDirectory> runs, Path prefix) throws IOException {
    return write(
            RunReader.readAll(runs),
            Panels.ofType(Panels.MAIN),
            View.PLAIN,
            PanelSize.DEFAULT,
            List.of(FigureFormat.PNG, FigureFormat.SVG),
            prefix)
        .files();
  }

  /**
   * Draws panels of runs.
   *
   * @param runs one or more runs
   * @param panels one or more panels; those that no run has data for are left out
   * @param view what part of the data is drawn
   * @param size size of a panel
   * @param formats kinds of file to write
   * @param prefix path of the files without their extensions; its folder is made
   * @throws UsageException if there is nothing to plot
   * @throws MissingFontsException if Java finds no fonts
   * @throws IOException if a file cannot be written
   */
  public static Written write(
      List<Run> runs,
      List<Panel> panels,
      View view,
      PanelSize size,
      List<FigureFormat> formats,
      Path prefix)
      throws IOException {
    stayHeadless();
    Figure figure = Figure.of(runs, panels, view, size);
    Files.createDirectories(prefix.toAbsolutePath().getParent());
    List<Path> files = new ArrayList<>();
    for (FigureFormat format : formats) {
      Path file = prefix.resolveSibling(prefix.getFileName() + "." + format.extension());
      Files.write(file, format.bytes(figure));
      files.add(file);
    }
    return new Written(files, figure.notes());
  }

  /** Drawing into files needs no display, and must not fail over one that cannot be reached. */
  private static void stayHeadless() {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }
}
