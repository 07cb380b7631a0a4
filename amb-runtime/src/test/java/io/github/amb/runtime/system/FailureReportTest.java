package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.jupiter.api.io.TempDir;

/** A system test that fails shows the ranks' logs and thread stacks. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class FailureReportTest {
  private static final String RUN = "train toy fmb rms 16 --workers 1 --max-time 3000";

  @TempDir Path directory;

  @Tag("lab")
  @Test
  void processesThatRunAreShown() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, RUN)) {
      amb.awaitSteps(1);
      assertShown(report());
    }
  }

  @Tag("lab")
  @Test
  void processesThatATestEndedAsItFailedAreShown() throws Exception {
    FailureReport report = new FailureReport();
    report.beforeEach(context());
    try (AmbProcess amb = AmbProcess.start(directory, RUN)) {
      amb.awaitSteps(1);
    }
    assertShown(report());
    report.beforeEach(context());
    assertTrue(!report().contains("--- threads of"), report());
  }

  private static void assertShown(String report) {
    assertTrue(report.matches("(?s).*--- \\S*/rank-1\\.log\n.*Sending \\[16\\].*"), report);
    String threads = "(?s).*--- threads of \\d+: \\S*java [^\n]* io\\.github\\.amb\\.runtime\\.";
    assertTrue(report.matches(threads + "Train 1 .*\"main\" .*"), report);
    assertTrue(report.matches(threads + "Amb train .*\"main\" .*"), report);
  }

  private String report() {
    AssertionError failure = new AssertionError("a test's own");
    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () -> new FailureReport().handleTestExecutionException(context(), failure));
    assertEquals(failure, thrown);
    return thrown.getSuppressed()[0].getMessage();
  }

  private ExtensionContext context() {
    TestInstances instances = answering(TestInstances.class, List.of(this));
    return answering(ExtensionContext.class, instances);
  }

  /** Something that answers each question alike. */
  private static <T> T answering(Class<T> type, Object answer) {
    ClassLoader loader = FailureReportTest.class.getClassLoader();
    return type.cast(
        Proxy.newProxyInstance(loader, new Class<?>[] {type}, (self, method, given) -> answer));
  }
}
