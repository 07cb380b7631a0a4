package io.github.amb.runtime.program;

import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of an unpacked archive, as {@code java -jar amb.jar} knows it. */
public final class InstalledHome {
  private static final String PROPERTY = "amb.home";

  private InstalledHome() {}

  /**
   * Sets the system property {@code amb.home} if it is not set and the class path is an archive's
   * {@code amb.jar} alone.
   */
  public static void set() {
    String classPath = System.getProperty("java.class.path");
    if (System.getProperty(PROPERTY) == null && classPath.endsWith("amb.jar")) {
      Path jar = Path.of(classPath).toAbsolutePath().normalize();
      if (Files.isDirectory(jar.resolveSibling("lib"))) {
        System.setProperty(PROPERTY, jar.getParent().toString());
      }
    }
  }
}
