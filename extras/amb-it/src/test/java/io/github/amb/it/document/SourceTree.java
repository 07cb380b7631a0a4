package io.github.amb.it.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that documents talk of.
 *
 * @param root with a folder for each module, some of them in {@code extras}
 */
public record SourceTree(Path root) {
  /** The tree of the module that runs the tests. */
  public static final SourceTree HERE = new SourceTree(Path.of("../.."));

  boolean has(String path) {
    return Files.exists(root.resolve(path));
  }

  String text(String path) {
    return text(root.resolve(path));
  }

  /** Whether a script has a word. Running one may leave compiled files of Python. */
  boolean scriptsHave(String word) {
    return walk(root.resolve("scripts"))
        .filter(file -> !file.toString().endsWith(".pyc"))
        .anyMatch(script -> text(script).contains(word));
  }

  /** Java files of all modules below a folder such as {@code src/main/java}. */
  public Stream<Path> sources(Path folder) {
    return folders(folder).flatMap(SourceTree::walk).filter(f -> f.toString().endsWith(".java"));
  }

  /** The modules' folders with a name such as {@code target/test-classes} that there are. */
  public Stream<Path> folders(Path name) {
    return Stream.of(root, root.resolve("extras"))
        .flatMap(SourceTree::list)
        .map(module -> module.resolve(name))
        .filter(Files::isDirectory);
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> walk(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      return found.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
