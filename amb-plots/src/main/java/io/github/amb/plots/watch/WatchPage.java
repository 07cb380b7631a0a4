package io.github.amb.plots.watch;

import io.github.amb.plots.figure.LineStyle;
import io.github.amb.plots.figure.Phase;
import io.github.amb.plots.report.PageFiles;
import io.github.amb.plots.report.UPlot;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page: one HTML file with its script and style inside. It has nothing of the run. */
final class WatchPage {
  private static final String SCRIPT =
      UPlot.script()
          + "\n"
          + resource("watch.js").replace("/*phases*/", phases()).replace("/*lines*/", lines());

  /** The value of the header that forbids other scripts and other servers. */
  static final String POLICY =
      "default-src 'none'; script-src '"
          + PageFiles.checksum(SCRIPT)
          + "'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:;"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private WatchPage() {}

  /** The colors of a timeline, by the names of its phases. */
  private static String phases() {
    return Arrays.stream(Phase.values())
        .map(
            phase ->
                quoted(phase.label())
                    + ":"
                    + quoted(LineStyle.html(LineStyle.phase(phase.ordinal()))))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** The colors of lines. */
  private static String lines() {
    return IntStream.range(0, LineStyle.COLORS)
        .mapToObj(i -> quoted(LineStyle.html(LineStyle.color(i))))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** The page's HTML. */
  static String html() {
    return resource("watch.html")
        .replace("/*style*/", UPlot.style() + "\n" + resource("watch.css"))
        .replace("/*script*/", SCRIPT);
  }

  private static String resource(String name) {
    return PageFiles.text(WatchPage.class, name);
  }
}
