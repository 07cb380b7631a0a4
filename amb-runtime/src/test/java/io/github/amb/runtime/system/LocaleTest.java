package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine's locale and encoding change nothing that any process of a run writes. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class LocaleTest {
  private static final String JOB =
      "train toy fmb adm 16 --evaluate last --checkpoint-every 2 --last-step ";
  private static final Map<String, String> UTF_8 = Map.of("LC_ALL", "C.UTF-8");

  @TempDir Path directory;
  private InstalledAmb program;

  @BeforeEach
  void install() throws IOException {
    program = InstalledAmb.in(directory.resolve("installed"));
  }

  /** Trains into the run {@code name}, and runs the command {@code then} with {@code $run}. */
  private Path trained(String name, Map<String, String> environment, String options, String then)
      throws Exception {
    Path run = directory.resolve("runs").resolve(name);
    String line = "run='%s'; $amb %s4 %s --run-directory \"$run\"".formatted(run, JOB, options);
    AmbProcess amb = program.run(directory, environment, line + then);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    assertFalse(hasDigitsBeyondAscii(amb.everythingSaid()), amb.everythingSaid());
    return run;
  }

  private static boolean hasDigitsBeyondAscii(String text) {
    return text.chars().anyMatch(c -> c > 127 && Character.isDigit(c));
  }

  private static List<String> files(Path run) throws IOException {
    try (Stream<Path> all = Files.walk(run)) {
      return all.filter(Files::isRegularFile)
          .map(run::relativize)
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }

  private static void assertAlike(Path expected, Path found) throws IOException {
    assertEquals(files(expected), files(found));
    assertEquals(
        new RunDirectory(expected).read().ending().parametersSha256(),
        new RunDirectory(found).read().ending().parametersSha256());
    for (String file : files(found)) {
      if (file.endsWith(".npy")) {
        assertEquals(-1, Files.mismatch(expected.resolve(file), found.resolve(file)), file);
      } else if (file.matches(".*\\.(jsonl?|log|sha256)")) {
        assertFalse(hasDigitsBeyondAscii(Files.readString(found.resolve(file))), file);
      }
    }
  }

  @Test
  void ranksWriteTheSameInOtherLocales() throws Exception {
    assumeTrue(
        System.getProperty("sun.jnu.encoding").equals("UTF-8"),
        "needs a test JVM that can name such a run: LC_ALL=C.UTF-8");
    Path expected = trained("whole", UTF_8, "--workers 1", "");
    Map<String, String> persian = new HashMap<>(options("fa", "IR"));
    persian.put("LC_ALL", "C");
    Path found = trained("été", persian, "--workers 1", "");
    assertAlike(expected, found);
    String json = Files.readString(found.resolve("run.json"));
    assertTrue(json.contains("/runs/été\""), json);
  }

  @Test
  void oneProcessWritesTheSameInTurkish() throws Exception {
    String then =
        " && $amb train --resume \"$run\" --last-step 6"
            + " && $amb export \"$run\" --output \"$run\"/out.safetensors";
    Path expected = trained("whole", UTF_8, "--workers 0", then);
    assertAlike(expected, trained("other", options("tr", "TR"), "--workers 0", then));
  }

  /** With Arabic digits in any language. */
  private static Map<String, String> options(String language, String country) {
    String options = "-Duser.language=%s -Duser.country=%s -Duser.extensions=u-nu-arab";
    return Map.of("JAVA_TOOL_OPTIONS", options.formatted(language, country));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$amb %s4 --workers 0 --run-directory $'x\\xe9'",
        "cd installed && mkdir w$'\\xe9' && cd w$'\\xe9' && $amb %s4 --workers 0",
        "AMB_CACHE_DIR=$'\\xe9' $amb %s4 --workers 0"
      })
  void aPlaceThatIsNotUtf8IsRejected(String line) throws Exception {
    AmbProcess amb = program.run(directory, UTF_8, line.formatted(JOB));
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertEquals(1, amb.stderr().size(), amb.everythingSaid());
    assertTrue(amb.stderr().get(0).endsWith("use a name in UTF-8"), amb.everythingSaid());
    assertEquals("installed stderr stdout", names());
  }

  private String names() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return String.join(" ", all.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }
}
