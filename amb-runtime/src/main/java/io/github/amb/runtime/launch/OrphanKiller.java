package io.github.amb.runtime.launch;

import io.github.amb.runtime.host.RemoteShell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Kills what is left of a rank on another host. The end of the remote shell ends a rank that is
 * well; one that is stopped or stuck would stay.
 */
final class OrphanKiller {
  private static final long LIMIT_MILLIS = 4000;

  private final RemoteShell shell;
  private final String host;
  private final String variable;
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean begun;

  /**
   * @param variable {@code NAME=value} in the environment of the rank alone
   */
  OrphanKiller(RemoteShell shell, String host, String variable) {
    this.shell = shell;
    this.host = host;
    this.variable = variable;
  }

  /** Begins, once. */
  synchronized void kill() {
    if (!begun) {
      begun = true;
      Thread thread = new Thread(this::run, "remnants-" + host);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    Process process = null;
    try {
      ProcessBuilder builder = shell.on(host);
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      process = builder.start();
      try (OutputStream script = process.getOutputStream()) {
        script.write(RemoteShell.killScript(variable).getBytes(StandardCharsets.UTF_8));
      }
      process.waitFor(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      // A host that cannot be reached: the rank ends itself, as it hears nothing any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      done.countDown();
    }
  }

  /** Waits until it is done, if it has begun. */
  void await() throws InterruptedException {
    synchronized (this) {
      if (!begun) {
        return;
      }
    }
    done.await(2 * LIMIT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
