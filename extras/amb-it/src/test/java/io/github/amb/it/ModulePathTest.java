package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.scheme.Schemes;
import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Core and plots are modules; models cannot be one, see ADR 14. */
class ModulePathTest {
  private static final String CORE = "io.github.amb.core";
  private static final String PLOTS = "io.github.amb.plots";

  /** Start of the names of the jars that both modules need. */
  private static final List<String> LIBRARIES =
      List.of(
          "batik",
          "commons-",
          "fontbox",
          "graphics2d",
          "jackson-annotations",
          "jackson-core",
          "jackson-databind",
          "jfreechart",
          "lz4",
          "pdfbox",
          "prometheus",
          "xmlgraphics",
          "zstd");

  private static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private static boolean isNeeded(Path entry) {
    String name = entry.getFileName().toString();
    boolean ours = entry.toString().matches(".*amb-(core|plots)[^a-z].*") && !name.contains("test");
    return ours || LIBRARIES.stream().anyMatch(name::startsWith);
  }

  private static ModuleLayer layer() {
    ModuleFinder path =
        ModuleFinder.of(classPath().stream().filter(ModulePathTest::isNeeded).toArray(Path[]::new));
    Configuration modules =
        ModuleLayer.boot().configuration().resolve(path, ModuleFinder.of(), Set.of(PLOTS));
    return ModuleLayer.boot()
        .defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader());
  }

  @Test
  void theModulesFindTheirOwnPlugins() throws Exception {
    ModuleLayer layer = layer();
    assertEquals(Schemes.ALL.names(), names(layer, CORE, Schemes.class));
    assertTrue(layer.findModule(PLOTS).isPresent());
  }

  /** The names in a registry, found by the classes of the modules. */
  private static Object names(ModuleLayer layer, String module, Class<?> registry)
      throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader loader = layer.findLoader(module);
    thread.setContextClassLoader(loader);
    try {
      Class<?> there = loader.loadClass(registry.getName());
      assertEquals(module, there.getModule().getName());
      Object all = there.getField("ALL").get(null);
      return all.getClass().getMethod("names").invoke(all);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void whatIsNotExportedIsHidden() {
    Module core = layer().findModule(CORE).orElseThrow();
    assertTrue(core.isExported("io.github.amb.core.scheme"));
    assertTrue(!core.isExported("io.github.amb.core.sim"));
  }

  /** When this fails, models can be a module. */
  @Test
  void nd4jCannotBeOnAModulePath() {
    Path nd4j =
        classPath().stream()
            .filter(entry -> entry.getFileName().toString().startsWith("nd4j-api-"))
            .findFirst()
            .orElseThrow();
    assertThrows(FindException.class, () -> ModuleFinder.of(nd4j).findAll());
  }
}
