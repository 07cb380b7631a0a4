package io.github.amb.plots.watch;

import io.github.amb.plots.page.PageFiles;
import io.github.amb.plots.page.UPlot;

/** The page: one HTML file with its script and style inside. It has nothing of the run. */
final class WatchPage {
  private static final String SCRIPT = UPlot.script() + "\n" + resource("watch.js");
  private static final String POLICY =
      "default-src 'none'; script-src '"
          + PageFiles.checksum(SCRIPT)
          + "'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:;"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private WatchPage() {}

  /** The page's HTML. */
  static String html() {
    return resource("watch.html")
        .replace("/*style*/", UPlot.style() + "\n" + resource("watch.css"))
        .replace("/*script*/", SCRIPT);
  }

  /** The value of the header that forbids other scripts and other servers. */
  static String policy() {
    return POLICY;
  }

  private static String resource(String name) {
    return PageFiles.text(WatchPage.class, name);
  }
}
