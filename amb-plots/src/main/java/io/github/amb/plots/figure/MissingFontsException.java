package io.github.amb.plots.figure;

/** Java found no fonts, so it cannot draw text; the message has the packages to install. */
public class MissingFontsException extends RuntimeException {
  MissingFontsException(Throwable cause) {
    super(
        "cannot draw text: Java found no fonts on this machine; install some:"
            + " apt-get install fontconfig fonts-dejavu-core",
        cause);
  }
}
