package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.amb.it.document.SourceTree;
import io.github.amb.runtime.launch.Launcher;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A test of any module that starts a process is in the tier {@code system} or {@code lab}. Those of
 * amb-cuda have a command of their own.
 */
class TestTiersTest {
  private static final Set<String> STARTERS =
      Set.of(ProcessBuilder.class.getName(), Launcher.class.getName());

  private static final Set<String> TIERS = Set.of("system", "lab", "claims");

  @Test
  void testsThatStartProcessesHaveATier() {
    Set<JavaCodeUnit> starting = starting(testClasses());
    List<String> untagged =
        starting.stream()
            .filter(TestTiersTest::isTest)
            .filter(unit -> !hasTier(unit))
            .map(JavaCodeUnit::getFullName)
            .sorted()
            .toList();
    assertTrue(starting.stream().anyMatch(TestTiersTest::isTest), "no test starts a process");
    assertEquals(List.of(), untagged, "add @Tag(\"system\") or @Tag(\"lab\")");
  }

  private static JavaClasses testClasses() {
    return new ClassFileImporter()
        .importPaths(
            SourceTree.HERE
                .folders(Path.of("target/test-classes"))
                .filter(folder -> !folder.toString().contains("amb-cuda"))
                .toList());
  }

  /** What starts a process itself or calls test code that does. */
  private static Set<JavaCodeUnit> starting(JavaClasses classes) {
    Set<JavaCodeUnit> found = new HashSet<>();
    Deque<JavaCodeUnit> open = new ArrayDeque<>();
    for (JavaClass type : classes) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        boolean starts =
            unit.getAccessesFromSelf().stream()
                .anyMatch(access -> STARTERS.contains(access.getTargetOwner().getName()));
        if (starts && found.add(unit)) {
          open.add(unit);
        }
      }
    }
    while (!open.isEmpty()) {
      JavaCodeUnit unit = open.pop();
      unit.getAccessesToSelf().stream()
          .map(access -> access.getOrigin())
          .filter(found::add)
          .forEach(open::add);
    }
    return found;
  }

  private static boolean isTest(JavaCodeUnit unit) {
    return unit instanceof JavaMethod
        && unit.isMetaAnnotatedWith("org.junit.platform.commons.annotation.Testable");
  }

  private static boolean hasTier(JavaCodeUnit unit) {
    return Stream.concat(unit.getAnnotations().stream(), unit.getOwner().getAnnotations().stream())
        .anyMatch(TestTiersTest::isTier);
  }

  private static boolean isTier(JavaAnnotation<?> annotation) {
    return annotation.getRawType().isEquivalentTo(Tag.class)
        && TIERS.contains(annotation.get("value").orElseThrow());
  }
}
