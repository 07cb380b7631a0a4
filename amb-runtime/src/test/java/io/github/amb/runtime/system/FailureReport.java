package io.github.amb.runtime.system;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Shows, with the failure of a test, what the processes in its directory have said, and the threads
 * of the Java processes that still run or were ended by {@link AmbProcess#close}. JUnit finds it by
 * {@code META-INF/services}; tests need not name it.
 */
public final class FailureReport implements BeforeEachCallback, TestExecutionExceptionHandler {
  private static final int DEPTH = 6;
  private static final int MAX_LINES = 400;
  private static final List<String> ENDED = new ArrayList<>();

  /** What was found when a test failed; not itself a failure. */
  private static final class Found extends Exception {
    Found(String text) {
      super(text, null, false, false);
    }
  }

  /**
   * Keeps the thread stacks of processes that are about to be ended, perhaps as a test has failed.
   */
  static void ending(Stream<ProcessHandle> processes) {
    List<String> stacks = ThreadStacks.of(processes);
    synchronized (ENDED) {
      ENDED.addAll(stacks);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    synchronized (ENDED) {
      ENDED.clear();
    }
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (!(failure instanceof TestAbortedException)) {
      String text = logs(context) + stacks();
      if (!text.isEmpty()) {
        failure.addSuppressed(new Found(text));
      }
    }
    throw failure;
  }

  private static String stacks() {
    List<String> stacks = new ArrayList<>(ThreadStacks.of(ProcessHandle.current().descendants()));
    if (!stacks.isEmpty()) {
      // Their launcher may run in this process.
      stacks.addAll(ThreadStacks.of(Stream.of(ProcessHandle.current())));
    }
    synchronized (ENDED) {
      stacks.addAll(ENDED);
    }
    return String.join("", stacks);
  }

  private static String logs(ExtensionContext context) throws IllegalAccessException {
    StringBuilder text = new StringBuilder();
    for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
      for (Class<?> type = instance.getClass(); type != null; type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          if (field.isAnnotationPresent(TempDir.class) && field.getType() == Path.class) {
            field.setAccessible(true);
            text.append(logs((Path) field.get(instance)));
          }
        }
      }
    }
    return text.toString();
  }

  /** The ends of standard output, standard error and the ranks' logs below a directory. */
  static String logs(Path directory) {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      for (Path file : files.sorted(Comparator.naturalOrder()).toList()) {
        if (file.getFileName().toString().matches("stdout|stderr|output|.*\\.log|run\\.json")) {
          text.append("--- ").append(file).append('\n').append(end(file));
        }
      }
    } catch (IOException | RuntimeException e) {
      text.append("--- ").append(directory).append(": ").append(e).append('\n');
    }
    return text.toString();
  }

  private static String end(Path file) throws IOException {
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    List<String> lines = all.lines().toList();
    List<String> last = lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size());
    return String.join("\n", last) + "\n";
  }
}
