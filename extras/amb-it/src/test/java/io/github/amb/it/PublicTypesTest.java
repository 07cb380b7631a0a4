package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What other programs may use is in few packages; little else is public. */
class PublicTypesTest {
  /** Public types of core, models and plots that are not for other programs. */
  private static final int MAX = 150;

  /** Packages of models for plugins. It cannot be a module, see ADR 14. */
  private static final Set<String> OF_MODELS =
      Set.of(
          "io.github.amb.models.data",
          "io.github.amb.models.data.example",
          "io.github.amb.models.dl4j",
          "io.github.amb.models.network");

  private static Set<String> exported() throws IOException {
    Set<String> exported = new TreeSet<>(OF_MODELS);
    for (String module : List.of("core", "plots")) {
      Path info = Path.of("../..", "amb-" + module, "target", "classes", "module-info.class");
      try (InputStream in = Files.newInputStream(info)) {
        ModuleDescriptor.read(in).exports().stream()
            .filter(export -> !export.isQualified())
            .forEach(export -> exported.add(export.source()));
      }
    }
    return exported;
  }

  private static Stream<JavaClass> publicTypes() {
    return ProgramClasses.ALL.stream()
        .filter(
            type -> type.getPackageName().matches("io\\.github\\.amb\\.(core|models|plots)\\b.*"))
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(JavaClass::isTopLevelClass);
  }

  @Test
  void fewTypesOutsideThemArePublic() throws IOException {
    Set<String> exported = exported();
    List<String> others =
        publicTypes()
            .filter(type -> !exported.contains(type.getPackageName()))
            .map(JavaClass::getName)
            .sorted()
            .toList();
    assertTrue(others.size() <= MAX, others.size() + " types: " + others);
  }

  @Test
  void everyExportedPackageHasPublicTypes() throws IOException {
    Set<String> empty = exported();
    publicTypes().forEach(type -> empty.remove(type.getPackageName()));
    assertEquals(Set.of(), empty);
  }
}
