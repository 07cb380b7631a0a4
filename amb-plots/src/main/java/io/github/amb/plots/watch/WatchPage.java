package io.github.amb.plots.watch;

import io.github.amb.plots.page.UPlot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The page: one HTML file with its script and style inside. It has nothing of the run. */
final class WatchPage {
  private static final String SCRIPT = UPlot.script() + "\n" + resource("watch.js");
  private static final String POLICY = policyOf(SCRIPT);

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

  private static String policyOf(String script) {
    try {
      byte[] text = script.getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return "default-src 'none'; script-src 'sha256-"
          + Base64.getEncoder().encodeToString(hash)
          + "'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:;"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String resource(String name) {
    try (InputStream stream = WatchPage.class.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " cannot be read from the class path", e);
    }
  }
}
