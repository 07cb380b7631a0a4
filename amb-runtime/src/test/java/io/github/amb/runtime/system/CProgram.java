package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles the C programs in {@code src/test/c}, which inject faults that Java cannot. */
final class CProgram {
  private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();

  private CProgram() {}

  /** Compiles a program; skips the test if there is no compiler. */
  static Path program(Path directory, String name) throws IOException, InterruptedException {
    return compile(directory, name, List.of());
  }

  /**
   * A command line with the library {@code preload.c}, which injects a fault into the program's
   * calls.
   */
  static List<String> preloaded(Path directory, String fault, List<String> line)
      throws IOException, InterruptedException {
    Path library = compile(directory, "preload", List.of("-shared", "-fPIC"));
    List<String> all = new ArrayList<>(List.of("env", "AMB_FAULT=" + fault));
    all.add("LD_PRELOAD=" + library);
    all.addAll(line);
    return all;
  }

  private static Path compile(Path directory, String name, List<String> options)
      throws IOException, InterruptedException {
    Path made = directory.resolve(name + ".made");
    if (Files.exists(made)) {
      return made;
    }
    List<String> line = new ArrayList<>(List.of("cc", "-O2"));
    line.addAll(options);
    line.addAll(List.of("-o", made.toString(), SOURCES.resolve(name + ".c").toString(), "-ldl"));
    int code;
    try {
      code = new ProcessBuilder(line).inheritIO().start().waitFor();
    } catch (IOException e) {
      code = -1; // There is no compiler.
    }
    assumeTrue(code == 0, "no C compiler makes " + name);
    return made;
  }
}
