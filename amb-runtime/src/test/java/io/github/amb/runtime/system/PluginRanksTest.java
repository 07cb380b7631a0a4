package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.command.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plugins of processes: ranks on hosts whose files differ, and the runs of an experiment. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class PluginRanksTest {
  private static final String HALF = PluginJar.Half.class.getName();

  @TempDir Path directory;

  @Test
  void aRankWithAnotherJarEndsTheRunWith2() throws Exception {
    assertEndsWith2("changed", "plugin p.jar: expected");
  }

  @ParameterizedTest
  @CsvSource({
    "none, 'plugins: expected a jar or a directory of jars, found {}/p.jar, which cannot be read'",
    "old, 'plugin {}/p.jar: expected Amb-Api-Version: 2 in its manifest, found 0; build it'"
  })
  void aRankWithoutTheJarOrWithAnOldOneEndsTheRunWith2(String there, String expected)
      throws Exception {
    assertEndsWith2(there, expected);
  }

  private void assertEndsWith2(String there, String expected) throws Exception {
    Path here = jar("here", "2", HALF);
    jar("changed", "2", HALF + " # changed");
    jar("old", "0", HALF);
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1\n127.0.0.2\n127.0.0.3\n");
    Path shell = shell("s=$(sed -u '/^exec/q')\n[ $1 != 127.0.0.3 ] || s=${s//here/" + there + "}");

    AmbProcess amb =
        amb(
            "train toy fmb rms 16 --evaluate last --last-step 3 --induce half --plugins %s --hosts %s --remote-shell %s"
                .formatted(here, hosts, shell));

    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    String cause = expected.replace("{}", directory.resolve(there).toString());
    List<String> lines = amb.stderr().stream().filter(line -> line.contains("p.jar")).toList();
    assertEquals(1, lines.size(), amb.everythingSaid());
    assertTrue(lines.get(0).contains(cause), lines::toString);
  }

  /** Runs what the launcher sends after a change of the text. */
  private Path shell(String change) throws IOException {
    String text = "#!/bin/bash\n" + change + "\nexec bash -c \"$s\"\n";
    Path file = Files.writeString(directory.resolve("shell"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void theRunsOfAnExperimentHavePlugins() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("short.yaml"),
            """
            description: Two runs of a few steps.
            options: {data-set: toy, update-rule: sgd, batch-size: 8, engine: sim, workers: 2,
              induce: half, cost-per-example: 0.01, last-step: 3, evaluate: last}
            matrix: {scheme: [fmb]}
            seeds: [1, 2]
            measures:
              step: {of: seconds-per-step}
            claims:
              - {of: step, variant: fmb, low: 0.57, high: 0.59}
            """);

    AmbProcess amb =
        amb("experiment " + file + " --out out --check --plugins " + jar("here", "2", HALF));

    assertEquals(0, amb.exitCode(), amb.everythingSaid());
  }

  /** Options of train have a list of delay models from the start. */
  @ParameterizedTest
  @ValueSource(strings = {"delays", "train toy fmb rms 16 --induce half"})
  void twoPluginsOfOneNameEndWith2(String command) throws Exception {
    Path two = jar("here", "2", HALF + "\n" + PluginJar.Twin.class.getName());

    AmbProcess amb = amb(command + " --plugins " + two);

    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertEquals(
        List.of(
            "amb: delay model 'half': expected one of this name, found two, of %s and of %s; remove one plugin"
                .formatted(HALF, PluginJar.Twin.class.getName())),
        amb.stderr());
  }

  private AmbProcess amb(String command) throws Exception {
    return AmbProcess.run(directory.resolve("work"), command);
  }

  private Path jar(String place, String version, String services) throws IOException {
    Path jar = Files.createDirectories(directory.resolve(place)).resolve("p.jar");
    return PluginJar.write(jar, version, services);
  }
}
