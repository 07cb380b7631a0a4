package io.github.amb.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UncaughtFailuresTest {
  private final List<Throwable> handled = new ArrayList<>();

  private void endBy(Runnable task) throws InterruptedException {
    try (var failures = new UncaughtFailures((thread, failure) -> handled.add(failure))) {
      assertSame(failures, failures);
      Daemon.start("test", task).join();
    }
  }

  @Test
  void anErrorIsHandledWhosesoeverThreadItIs() throws InterruptedException {
    Error error = new Error();
    error.setStackTrace(new StackTraceElement[0]);
    endBy(
        () -> {
          throw error;
        });
    assertEquals(List.of(error), handled);
  }

  @Test
  void anExceptionOfOurCodeIsHandled() throws InterruptedException {
    endBy(
        () -> {
          throw new IllegalStateException();
        });
    assertEquals(1, handled.size());
  }

  /** As that by which MPJ Express' receiving thread is ended when it reads nonsense. */
  @Test
  void anExceptionInAThreadOfALibraryIsItsOwnMatter() throws InterruptedException {
    RuntimeException exception = new IllegalStateException();
    exception.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("io.github.amb.runtime.Device", "out", null, 1),
          new StackTraceElement("xdev.niodev.NIODevice", "run", null, 1),
          new StackTraceElement("java.lang.Thread", "run", null, 1)
        });
    endBy(
        () -> {
          throw exception;
        });
    assertEquals(List.of(), handled);
  }
}
