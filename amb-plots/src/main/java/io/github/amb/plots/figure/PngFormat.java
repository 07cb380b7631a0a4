package io.github.amb.plots.figure;

import io.github.amb.core.file.Reading;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** A figure as an image of 200 dots per inch. */
final class PngFormat {
  private static final double DOTS_PER_INCH = 200;
  private static final double METERS_PER_INCH = 0.0254;

  private PngFormat() {}

  static byte[] bytes(Figure figure) {
    return Reading.certain(() -> encode(image(figure, DOTS_PER_INCH)));
  }

  static BufferedImage image(Figure figure, double dotsPerInch) {
    FigurePainter painter = new FigurePainter(figure);
    double scale = dotsPerInch / 72;
    BufferedImage image =
        new BufferedImage(
            pixels(painter.width * scale),
            pixels(painter.height() * scale),
            BufferedImage.TYPE_INT_RGB);
    painter.paint(
        (name, painting) -> {
          Graphics2D graphics = image.createGraphics();
          Theme.smooth(graphics);
          graphics.scale(scale, scale);
          painting.accept(graphics);
          graphics.dispose();
        });
    return image;
  }

  /** Rounds to whole pixels, as a partial pixel at the edge would stay dark. */
  private static int pixels(double length) {
    return (int) (length + 1e-6);
  }

  private static byte[] encode(BufferedImage image) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ImageWriteParam parameters = writer.getDefaultWriteParam();
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(
            ImageTypeSpecifier.createFromRenderedImage(image), parameters);
    String format = metadata.getNativeMetadataFormatName();
    metadata.mergeTree(format, resolution(format));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.write(metadata, new IIOImage(image, null, metadata), parameters);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static IIOMetadataNode resolution(String format) {
    String dotsPerMeter = Long.toString(Math.round(DOTS_PER_INCH / METERS_PER_INCH));
    IIOMetadataNode chunk = new IIOMetadataNode("pHYs");
    chunk.setAttribute("pixelsPerUnitXAxis", dotsPerMeter);
    chunk.setAttribute("pixelsPerUnitYAxis", dotsPerMeter);
    chunk.setAttribute("unitSpecifier", "meter");
    IIOMetadataNode root = new IIOMetadataNode(format);
    root.appendChild(chunk);
    return root;
  }
}
