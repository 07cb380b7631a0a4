package io.github.amb.core;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

@AnalyzeClasses(packages = "io.github.amb.core", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule coreKnowsNoNetworkAndNoCharts =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.awt..", "javax.swing..", "java.net..");

  @ArchTest
  static final ArchRule schemesDoNotKnowTheVirtualCluster =
      noClasses()
          .that()
          .resideInAPackage("..core.scheme..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..core.sim..");

  @ArchTest
  static final ArchRule schemesDoNotKnowFilesOfRecords =
      noClasses()
          .that()
          .resideInAPackage("..core.scheme..")
          .should()
          .dependOnClassesThat(
              assignableTo(RecordLog.class)
                  .or(assignableTo(RunDirectory.class))
                  .or(JavaClass.Predicates.resideInAnyPackage("java.nio.file..")));

  @ArchTest
  static final ArchRule classesAreNamedAfterWhatTheyAre =
      noClasses().should().haveNameMatching(".*(Utils?|Helpers?|Managers?)");

  @ArchTest
  static final ArchRule randomnessComesFromStreamsOnly =
      noClasses()
          .should()
          .dependOnClassesThat(
              assignableTo(Random.class)
                  .or(JavaClass.Predicates.type(ThreadLocalRandom.class))
                  .or(JavaClass.Predicates.type(SplittableRandom.class)))
          .orShould()
          .callMethodWhere(target(name("random")).and(target(owner(assignableTo(Math.class)))));

  @ArchTest
  static final ArchRule timeComesFromTheClockOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages("..core.engine..", "..core.sim..")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(System.class)))
                  .and(target(name("currentTimeMillis").or(name("nanoTime")))))
          .orShould()
          .callMethodWhere(target(owner(assignableTo(Thread.class))).and(target(name("sleep"))));

  @ArchTest
  static final ArchRule everyPackageSaysItsRole =
      classes().should(resideInAPackageWithAPackageInfo());

  private static ArchCondition<JavaClass> resideInAPackageWithAPackageInfo() {
    return new ArchCondition<>("reside in a package with a package-info") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String path = type.getPackageName().replace('.', '/') + "/package-info.java";
        boolean there = Files.exists(Path.of("src/main/java", path));
        events.add(new SimpleConditionEvent(type, there, type.getName() + " needs " + path));
      }
    };
  }
}
