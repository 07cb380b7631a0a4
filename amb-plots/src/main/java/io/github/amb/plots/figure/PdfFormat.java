package io.github.amb.plots.figure;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;

/** A figure as one PDF page, for papers. Letters are outlines, so no font is needed. */
final class PdfFormat {
  /** A fixed number; the default is the time, so that no two files would be equal. */
  private static final long DOCUMENT_ID = 1;

  private PdfFormat() {}

  static byte[] bytes(Figure figure) {
    FigurePainter painter = new FigurePainter(figure);
    float width = (float) painter.width;
    float height = (float) painter.height();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      document.setDocumentId(DOCUMENT_ID);
      PDPage page = new PDPage(new PDRectangle(width, height));
      document.addPage(page);
      try (PDPageContentStream content = new PDPageContentStream(document, page)) {
        painter.paint(
            (name, painting) -> {
              try {
                PdfBoxGraphics2D graphics = new PdfBoxGraphics2D(document, width, height);
                Theme.smooth(graphics);
                painting.accept(graphics);
                graphics.dispose();
                content.drawForm(graphics.getXFormObject());
              } catch (IOException e) {
                throw new UncheckedIOException("cannot write the figure as PDF", e);
              }
            });
      }
      document.save(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the figure as PDF", e);
    }
    return bytes.toByteArray();
  }
}
