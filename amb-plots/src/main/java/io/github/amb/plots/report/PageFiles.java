package io.github.amb.plots.report;

import io.github.amb.core.file.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The files that pages are made of. */
public final class PageFiles {
  private PageFiles() {}

  /** The text of a resource beside a class. */
  public static String text(Class<?> beside, String name) {
    try (InputStream file = beside.getResourceAsStream(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " cannot be read from the class path", e);
    }
  }

  /** The source by which a security policy allows a script. */
  public static String checksum(String script) {
    byte[] digest = Sha256.digest().digest(script.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }
}
