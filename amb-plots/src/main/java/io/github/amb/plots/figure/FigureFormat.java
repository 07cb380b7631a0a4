package io.github.amb.plots.figure;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The file formats of figures. */
public enum FigureFormat {
  /** An image of 200 dots per inch. */
  PNG(PngFormat::bytes),
  /** A drawing that scales, with text as text. */
  SVG(SvgFormat::bytes),
  /** A page that scales, for papers. */
  PDF(PdfFormat::bytes),
  /** The plotted points. */
  CSV(CsvFormat::bytes);

  private final Function<Figure, byte[]> writer;

  FigureFormat(Function<Figure, byte[]> writer) {
    this.writer = writer;
  }

  /** The file name extension, without the dot. */
  public String extension() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All extensions. */
  public static List<String> extensions() {
    return Arrays.stream(values()).map(FigureFormat::extension).toList();
  }

  /**
   * Returns the format with an extension.
   *
   * @throws UsageException if there is none
   */
  public static FigureFormat named(String extension) {
    Suggestion.expectKnown("--ext: unknown format", extension, extensions());
    return valueOf(extension.toUpperCase(Locale.ROOT));
  }

  byte[] bytes(Figure figure) {
    return writer.apply(figure);
  }
}
