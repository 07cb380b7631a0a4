package io.github.amb.runtime.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginLoaderTest {
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @TempDir Path folder;

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @Test
  void aJarAddsItsEntries() throws IOException {
    Path jar = jar("one.jar", "2", "");

    assertEquals(List.of("delays"), start("delays", "--plugins", jar.toString()));
    assertTrue(names().contains("half"), names().toString());
  }

  @Test
  void trainHandsAllJarsToItsRanks() throws IOException {
    Path one = jar("one.jar", "2", "");
    Path two = jar("two.jar", "2", "");

    List<String> rest = start("train", "--plugins=" + folder, "toy");

    assertEquals(List.of("train", "--plugins=" + one + "," + two, "toy"), rest);
  }

  @Test
  void withoutPluginsNothingChanges() {
    assertEquals(List.of("train", "toy"), start("train", "toy"));
    assertEquals(Map.of(), PluginLoader.describe());
  }

  @Test
  void ranksOfAnotherJarDiffer() throws IOException {
    Path jar = jar("one.jar", "2", "");
    PluginLoader.startRank(List.of("--plugins=" + jar));
    Map<String, String> here = PluginLoader.describe();
    restore();
    jar("one.jar", "2", "changed");
    PluginLoader.startRank(List.of("--plugins=" + jar));

    assertEquals(here.keySet(), PluginLoader.describe().keySet());
    assertTrue(!here.equals(PluginLoader.describe()), here.toString());
  }

  @Test
  void aJarForAnotherVersionIsRejectedInOneLine() throws IOException {
    Path old = jar("old.jar", "0", "");
    Path none = jar("none.jar", null, "");

    assertEquals(
        "plugin %s: expected Amb-Api-Version: 2 in its manifest, found 0; build it for this version of AMB"
            .formatted(old),
        problem("delays", "--plugins", old.toString()));
    assertEquals(
        "plugin %s: expected Amb-Api-Version: 2 in its manifest, found none; build it for this version of AMB"
            .formatted(none),
        problem("delays", "--plugins", none.toString()));
  }

  @Test
  void whatIsNoJarIsRejected() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "text");

    assertTrue(
        problem("delays", "--plugins", text.toString())
            .startsWith("--plugins: expected a jar or a directory of jars, found " + text));
    assertTrue(
        problem("delays", "--plugins", "/nowhere.jar")
            .startsWith("--plugins: expected a jar or a directory of jars, found /nowhere.jar"));
    assertEquals(
        "--plugins: expected a jar or a directory of jars, found none",
        problem("delays", "--plugins"));
  }

  private static List<String> start(String... arguments) {
    return PluginLoader.start(List.of(arguments));
  }

  private static String problem(String... arguments) {
    return assertThrows(UsageException.class, () -> start(arguments)).getMessage();
  }

  /** Not those of {@link DelayModels#ALL}, which are loaded once in this process. */
  private static List<String> names() {
    return new Registry<>("delay model", DelayModels.Entry.class).names();
  }

  private Path jar(String name, String version, String comment) throws IOException {
    String services = PluginJar.Half.class.getName() + " # " + comment;
    return PluginJar.write(folder.resolve(name), version, services);
  }
}
