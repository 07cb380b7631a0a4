package io.github.amb.runtime.doctor;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks whether ranks can use MPJ Express. */
final class MpjCheck {
  private static final String SUBJECT = "mpj";
  private static final Pattern VERSION = Pattern.compile("mpj-(\\d[\\w.+~-]*)\\.jar");

  private MpjCheck() {}

  static Finding mpj() {
    Path jar;
    try {
      jar = WorldLoader.findJar();
    } catch (UsageException e) {
      return Finding.failed(SUBJECT, e.getMessage(), "runs with --workers 0 do not need it");
    }
    try {
      WorldLoader.check(jar);
      return Finding.ok(
          SUBJECT, "%s, %s, %s bytes".formatted(jar.toRealPath(), version(jar), Files.size(jar)));
    } catch (IOException e) {
      return Finding.failed(
          SUBJECT,
          e.getMessage() + ": " + Finding.reason(e),
          "install Debian's libmpj-java again, or set MPJ_HOME to another MPJ Express 0.44");
    }
  }

  /**
   * The version in the file name, to which Debian's link leads, or in the manifest; otherwise the
   * version that its classes match.
   */
  private static String version(Path jar) throws IOException {
    Matcher named = VERSION.matcher(jar.toRealPath().getFileName().toString());
    String version = named.matches() ? named.group(1) : stated(jar);
    return version == null ? "its classes are those of 0.44" : "version " + version;
  }

  private static String stated(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      return manifest == null
          ? null
          : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    }
  }
}
