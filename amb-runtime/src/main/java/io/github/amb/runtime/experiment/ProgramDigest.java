package io.github.amb.runtime.experiment;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/** Which program it is that computes an experiment's numbers. */
final class ProgramDigest {
  /** AMB's jars that take part in training; those of figures and benchmarks do not. */
  private static final Pattern OWN =
      Pattern.compile("(amb-(?:core|models|runtime|cuda|openmpi))-.*\\.jar");

  /** Others that do not change what is computed. */
  private static final Pattern FIGURES = Pattern.compile("(amb|batik|jfreechart|pdfbox)-.*");

  /** Names of the version and the commit, which change without a change of what is computed. */
  private static final Pattern NAMES =
      Pattern.compile("META-INF/(MANIFEST\\.MF|maven/.*)|.*/build\\.properties");

  private ProgramDigest() {}

  /**
   * A digest of the program's own classes and of its libraries' names, which have their versions.
   *
   * @param version what stands for them where the program is not in jars
   */
  static String of(String version) {
    try {
      Path code =
          Path.of(ProgramDigest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(code) ? version : ofJars(code.toAbsolutePath().getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class' place is a URI", e);
    } catch (IOException e) {
      throw new UncheckedIOException("the program's jars are not readable", e);
    }
  }

  /** A digest of what a directory's jars compute. */
  static String ofJars(Path directory) throws IOException {
    SortedMap<String, Object> facts = new TreeMap<>();
    for (String name : Folder.names(directory)) {
      Matcher own = OWN.matcher(name);
      if (own.matches()) {
        facts.put(own.group(1), checksums(directory.resolve(name)));
      } else if (name.endsWith(".jar") && !FIGURES.matcher(name).matches()) {
        facts.put(name, "");
      }
    }
    return Sha256.of(facts.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Long> checksums(Path jar) throws IOException {
    SortedMap<String, Long> checksums = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream()
          .filter(entry -> !entry.isDirectory() && !NAMES.matcher(entry.getName()).matches())
          .forEach((ZipEntry entry) -> checksums.put(entry.getName(), entry.getCrc()));
    }
    return checksums;
  }
}
