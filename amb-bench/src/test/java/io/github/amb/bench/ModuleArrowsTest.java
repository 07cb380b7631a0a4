package io.github.amb.bench;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModuleArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.github.amb");

  @Test
  void dependenciesPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("core")
        .definedBy("io.github.amb.core..")
        .layer("models")
        .definedBy("io.github.amb.models..")
        .layer("runtime")
        .definedBy("io.github.amb.runtime..")
        .layer("plots")
        .definedBy("io.github.amb.plots..")
        .layer("bench")
        .definedBy("io.github.amb.bench..")
        .whereLayer("bench")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("plots")
        .mayOnlyBeAccessedByLayers("bench")
        .whereLayer("runtime")
        .mayOnlyBeAccessedByLayers("bench")
        .whereLayer("models")
        .mayOnlyBeAccessedByLayers("runtime", "bench")
        .check(CLASSES);
  }
}
