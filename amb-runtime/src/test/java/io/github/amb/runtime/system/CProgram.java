package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** C in {@code src/test/c}: what Java cannot do to a process or to a link. */
final class CProgram {
  private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();

  private CProgram() {}

  /** A program; skips the test where nothing compiles it. */
  static Path program(Path directory, String name) throws IOException, InterruptedException {
    return compile(directory, name, List.of());
  }

  /** A command line with the library {@code preload.c}, which does a fault to it and its own. */
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
