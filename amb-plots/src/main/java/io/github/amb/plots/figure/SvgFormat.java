package io.github.amb.plots.figure;

import static io.github.amb.core.option.Decimal.format;

import java.awt.Dimension;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A figure as a drawing: text is text, and each panel is a group with the panel's name as id. */
final class SvgFormat {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";

  /** The XML header. Batik's own has a DTD, which readers would fetch. */
  private static final String HEADER = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private SvgFormat() {}

  static byte[] bytes(Figure figure) {
    FigurePainter painter = new FigurePainter(figure);
    Document document = document();
    Element root = document.getDocumentElement();
    root.setAttribute("width", points(painter.width) + "pt");
    root.setAttribute("height", points(painter.height()) + "pt");
    root.setAttribute("viewBox", "0 0 " + points(painter.width) + " " + points(painter.height()));
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setPrecision(2);
    painter.paint(
        (name, painting) -> {
          SVGGraphics2D graphics = new SVGGraphics2D(context, false);
          Theme.smooth(graphics);
          graphics.setSVGCanvasSize(new Dimension((int) painter.width, (int) painter.height()));
          painting.accept(graphics);
          Element group = graphics.getTopLevelGroup();
          group.setAttribute("id", name);
          root.appendChild(group);
          graphics.dispose();
        });
    addFallbackFonts(root);
    return write(root).getBytes(StandardCharsets.UTF_8);
  }

  private static Document document() {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(NAMESPACE, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Java's own XML parser cannot be configured", e);
    }
  }

  /** Adds fonts of about the same widths, for a viewer without the font of the layout. */
  private static void addFallbackFonts(Element root) {
    NodeList elements = root.getElementsByTagName("*");
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      String family = element.getAttribute("font-family");
      if (!family.isEmpty() && !family.endsWith("sans-serif")) {
        element.setAttribute("font-family", family + ", Verdana, sans-serif");
      }
    }
  }

  private static String write(Element root) {
    StringWriter text = new StringWriter();
    try {
      new SVGGraphics2D(root.getOwnerDocument()).stream(root, text, false, false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the figure as SVG", e);
    }
    return HEADER + text.toString().substring(text.toString().indexOf("<svg "));
  }

  private static String points(double length) {
    return format("%.2f", length);
  }
}
