package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * NOTICE names every license text and every native library that the archive contains. The licenses
 * of the jars are checked by license-maven-plugin in amb-dist.
 */
class NoticeTest {
  private static final Pattern TEXT = Pattern.compile("licenses/[\\w.-]+\\.txt");
  private static final Pattern NATIVE =
      Pattern.compile("(?:.*/)?(lib[\\w-]+?)(?:_nolapack|-[\\d.-]+)?\\.so(?:\\.\\d+)*");

  /** Native libraries under the license of the jar that contains them, or named in NOTICE. */
  private static final Set<String> KNOWN =
      Set.of(
          // Bindings that JavaCPP generates.
          "libjni\\w+",
          // Apache-2.0, as their jars.
          "libdnnl|libnd4jcpu|libOpenCL|liblz4-java",
          // Named in NOTICE.
          "libopenblas|libgfortran|libquadmath|libgcc_s|libgomp|libtbb|libzstd-jni");

  @Test
  void everyLicenseTextIsNamed() throws IOException {
    Path root = SourceTree.HERE.root();
    Set<String> named =
        TEXT.matcher(Files.readString(root.resolve("NOTICE")))
            .results()
            .map(match -> match.group())
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> texts = Files.list(root.resolve("licenses"))) {
      assertEquals(
          texts
              .map(text -> "licenses/" + text.getFileName())
              .collect(Collectors.toCollection(TreeSet::new)),
          named);
    }
  }

  @Test
  void everyNativeLibraryIsKnown() {
    Set<String> unknown =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> path.endsWith(".jar"))
            .flatMap(path -> natives(path).stream())
            .filter(name -> KNOWN.stream().noneMatch(name::matches))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), unknown, "read the license of each, then name it in NOTICE and here");
  }

  /** The native libraries in a jar, without version and suffix. */
  private static Set<String> natives(String jar) {
    try (ZipFile zip = new ZipFile(jar)) {
      return zip.stream()
          .map(ZipEntry::getName)
          .map(NATIVE::matcher)
          .filter(match -> match.matches())
          .map(match -> match.group(1))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(jar, e);
    }
  }
}
