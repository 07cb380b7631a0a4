package io.github.amb.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.UpdateRules;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "adam, adm",
    "ADM, adm",
    "RMSProp, rms",
    "momentum, mom",
    "dual_averaging, dual-averaging",
    "lion, lion",
    "adam:0.1, adm:0.1"
  })
  void aliasesAndCapitalsStandForTheName(String typed, String name) {
    assertEquals(name, UpdateRules.ALL.canonical(typed));
  }

  @Test
  void argumentsAndAdditionsStayAsTheyAre() {
    assertEquals("topk:0.1,sampled+ef", Codecs.ALL.canonical("TopK:0.1,sampled+ef"));
    assertEquals("0,0,.4;1,0,.6", DelayModels.ALL.canonical("0,0,.4;1,0,.6"));
  }

  @Test
  void argumentsThatAnEntryDoesNotTakeAreRejected() {
    var error = assertThrows(UsageException.class, () -> UpdateRules.named("sgd:0.1").create(1));
    assertEquals("update rule sgd: expected sgd, found '0.1'", error.getMessage());
  }

  @Test
  void everyEntrySaysWhatItDoesAndWhen() {
    Stream.of(Schemes.ALL, Codecs.ALL, UpdateRules.ALL, Schedules.ALL, DelayModels.ALL)
        .flatMap(registry -> registry.all().stream())
        .map(Registry.Entry::description)
        .filter(about -> about.summary().isBlank() || !about.use().endsWith("."))
        .findAny()
        .ifPresent(
            about -> {
              throw new AssertionError("no texts: " + about.name());
            });
  }

  @Test
  void aPluginAddsEntriesAfterOurs() throws IOException {
    List<String> names = load(Extra.class, new Registry<>("color", Color.class)).names();
    assertEquals(List.of("red"), names);
  }

  @Test
  void thePluginsKindMayBeItsOwnClass() throws IOException {
    Registry<Named> colors = load(Blue.class, new Registry<>("color", Named.class));
    assertEquals(List.of("blue"), colors.names());
  }

  @Test
  void aPluginThatSaysNoKindIsRejected() {
    String rejection = rejection(Unsaid.class);
    assertTrue(rejection.startsWith("plugin " + Unsaid.class.getName() + ": "), rejection);
    assertTrue(rejection.endsWith("override kind()"), rejection);
  }

  @Test
  void twoEntriesOfOneNameAreRejected() {
    Registry<Color> colors = new Registry<>("color", Color.class);
    var error = assertThrows(UsageException.class, () -> load(Twice.class, colors).names());
    assertEquals(
        "color 'red': expected one of this name, found two, of "
            + "io.github.amb.core.plugin.RegistryTest$Twice and of "
            + "io.github.amb.core.plugin.RegistryTest$Twice; remove one plugin",
        error.getMessage());
  }

  @Test
  void aClassThatIsNoPluginIsRejectedInOneLine() {
    Registry<Color> colors = new Registry<>("color", Color.class);
    var error = assertThrows(UsageException.class, () -> load(Color.class, colors).names());
    assertEquals(
        "plugins: expected colors built for this version, found: "
            + "io.github.amb.core.plugin.Plugin: io.github.amb.core.plugin.RegistryTest$Color "
            + "not a subtype; build the plugin again or remove it",
        error.getMessage());
  }

  @Test
  void aPluginThatCannotBeMadeIsReportedWithItsCause() {
    assertEquals(
        "plugins: expected colors built for this version, found: "
            + "io.github.amb.core.plugin.Plugin: Provider "
            + Unmade.class.getName()
            + " could not be instantiated: java.lang.IllegalStateException: no license; "
            + "build the plugin again or remove it",
        rejection(Unmade.class));
  }

  @Test
  void aPluginThatCannotListItsEntriesIsNamed() {
    assertEquals(
        "plugin "
            + Unlisted.class.getName()
            + ": cannot list its colors: java.lang.IllegalStateException: no file; "
            + "correct or remove it",
        rejection(Unlisted.class));
  }

  @Test
  void aNameThatCannotBeTypedIsRejected() {
    assertEquals(
        "plugin "
            + Misnamed.class.getName()
            + ": expected a color of letters, digits, '.', '_' and '-', found 'a:b'; "
            + "correct or remove it",
        rejection(Misnamed.class));
  }

  private String rejection(Class<?> service) {
    Registry<Color> colors = new Registry<>("color", Color.class);
    return assertThrows(UsageException.class, () -> load(service, colors)).getMessage();
  }

  /** Loads a registry with a service file that names one class, as that of a plugin's jar does. */
  private <E extends Registry.Entry> Registry<E> load(Class<?> service, Registry<E> registry)
      throws IOException {
    Path file = folder.resolve("META-INF/services/" + Plugin.class.getName());
    Files.createDirectories(file.getParent());
    Files.writeString(file, service.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      registry.all();
    } finally {
      thread.setContextClassLoader(before);
    }
    return registry;
  }

  /** What the plugins of this test add. */
  public record Color(Description description) implements Registry.Entry {}

  /** Entries with several classes. */
  interface Named extends Registry.Entry {}

  /** An entry that adds itself. */
  public static final class Blue implements Named, Plugin<Blue> {
    @Override
    public List<Blue> entries() {
      return List.of(this);
    }

    @Override
    public Description description() {
      return Description.of("blue", "like the sky");
    }
  }

  /** Adds one. */
  public static class Extra implements Plugin<Color> {
    @Override
    public List<Color> entries() {
      return List.of(new Color(Description.of("red", "like a rose")));
    }
  }

  /** A plugin of colors, but not by its own words. */
  interface Colors extends Plugin<Color> {}

  /** Does not say of which kind its entries are. */
  public static final class Unsaid implements Colors {
    @Override
    public List<Color> entries() {
      return List.of();
    }
  }

  /** Adds one twice. */
  public static final class Twice extends Extra {
    @Override
    public List<Color> entries() {
      return List.of(super.entries().get(0), new Color(Description.of("RED", "again")));
    }
  }

  /** Has a constructor that fails. */
  public static final class Unmade extends Extra {
    public Unmade() {
      throw new IllegalStateException("no license");
    }
  }

  /** Has entries that fail. */
  public static final class Unlisted extends Extra {
    @Override
    public List<Color> entries() {
      throw new IllegalStateException("no file");
    }
  }

  /** Has an alias that would end where its arguments begin. */
  public static final class Misnamed extends Extra {
    @Override
    public List<Color> entries() {
      return List.of(new Color(Description.of("blue", "like the sky").aliases("a:b")));
    }
  }
}
