package io.github.amb.plots.figure;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/** Fails early, with a clear message, if Java cannot draw text. */
final class FontCheck {
  private FontCheck() {}

  /**
   * Measures a text.
   *
   * @throws MissingFontsException if Java finds no fonts or its font libraries
   */
  static void requireFonts() {
    try {
      Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
      graphics.getFontMetrics(new Font(Font.SANS_SERIF, Font.PLAIN, 9)).stringWidth("0");
      graphics.dispose();
    } catch (RuntimeException | InternalError | LinkageError e) {
      throw new MissingFontsException(e);
    }
  }
}
