package io.github.amb.plots.report;

import io.github.amb.core.file.Reading;

/**
 * The library uPlot, which draws curves in a browser. A page has its text inside, so the page needs
 * no network.
 */
public final class UPlot {
  private static final String LIBRARY = "/META-INF/resources/webjars/uplot/%s/dist/%s";

  private UPlot() {}

  /** JavaScript that defines {@code uPlot}, for a script element: without an end tag of one. */
  public static String script() {
    return file("uPlot.iife.min.js");
  }

  /** Style sheet of the curves, for a style element. */
  public static String style() {
    return file("uPlot.min.css");
  }

  private static String file(String name) {
    return PageFiles.text(UPlot.class, LIBRARY.formatted(version(), name));
  }

  /** The version that the build chose, as it is part of the path in the library's jar. */
  private static String version() {
    String build = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    return Reading.properties(() -> UPlot.class.getResourceAsStream(build)).getProperty("version");
  }
}
