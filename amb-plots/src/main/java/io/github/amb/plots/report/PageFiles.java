package io.github.amb.plots.report;

import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The files that pages are made of. */
public final class PageFiles {
  private PageFiles() {}

  /** The text of a resource beside a class. */
  public static String text(Class<?> beside, String name) {
    return Reading.text(() -> beside.getResourceAsStream(name));
  }

  /** The source by which a security policy allows a script. */
  public static String checksum(String script) {
    byte[] digest = Sha256.digest().digest(script.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }
}
