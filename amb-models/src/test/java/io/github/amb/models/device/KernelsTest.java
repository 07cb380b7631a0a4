package io.github.amb.models.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.amb.models.graph.Activation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelsTest {
  private static final Pattern DEFINITION = Pattern.compile("(?m)^#define ([A-Z0-9_]+) (\\d)$");

  @TempDir Path directory;

  @Test
  void activationsHaveTheirPlacesInTheEnum() {
    List<String> names = new ArrayList<>();
    Matcher definition = DEFINITION.matcher(Device.kernels());
    while (names.size() < Activation.values().length && definition.find()) {
      assertEquals(names.size(), Integer.parseInt(definition.group(2)));
      names.add(definition.group(1));
    }
    List<String> expected = new ArrayList<>();
    for (Activation activation : Activation.values()) {
      expected.add(activation.name());
    }
    assertEquals(expected, names);
  }

  /** For a driver by CUDA, whose compiler is no part of the program. */
  @Tag("system")
  @Test
  void theKernelsAreAlsoCudas() throws Exception {
    Path source = Files.writeString(directory.resolve("kernels.cu"), Device.kernels());
    Path output = directory.resolve("output");
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("nvcc", "-Werror", "all-warnings", "-ptx", source.toString())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      abort("nvcc of CUDA is not installed");
      return;
    }
    assertTrue(compiler.waitFor(4, TimeUnit.MINUTES));
    assertEquals(0, compiler.exitValue(), Files.readString(output));
  }
}
