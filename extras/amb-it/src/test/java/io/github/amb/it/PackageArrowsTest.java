package io.github.amb.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import org.junit.jupiter.api.Test;

/** The arrows between packages of all modules. The POMs hold those between modules. */
class PackageArrowsTest {
  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.github.amb.(**)").should().beFreeOfCycles().check(ProgramClasses.ALL);
  }

  /** Others may name a main class, to start it, and nothing else of it. */
  @Test
  void nothingCallsTheMainClasses() {
    noClasses()
        .that()
        .resideInAPackage("io.github.amb.runtime.*..")
        .should()
        .accessClassesThat()
        .resideInAPackage("io.github.amb.runtime")
        .check(ProgramClasses.ALL);
  }
}
