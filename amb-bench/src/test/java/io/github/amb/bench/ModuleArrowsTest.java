package io.github.amb.bench;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import org.junit.jupiter.api.Test;

class ModuleArrowsTest {
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
        .check(ProgramClasses.ALL);
  }
}
