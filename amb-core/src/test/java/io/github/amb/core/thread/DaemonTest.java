package io.github.amb.core.thread;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DaemonTest {
  @Test
  void anErrorIsHandedToTheOwner() throws Exception {
    Error error = new StackOverflowError();
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Daemon.start(
        "test",
        () -> {
          throw error;
        },
        failed::complete);
    assertSame(error, failed.get());
  }
}
