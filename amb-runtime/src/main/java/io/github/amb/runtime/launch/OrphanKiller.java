package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.host.RemoteShell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Kills the remaining processes of a rank on another host. The end of the remote shell ends a rank
 * that runs, but not one that is stopped or stuck.
 */
final class OrphanKiller {
  private static final long LIMIT_MILLIS = 4000;

  private final RemoteShell shell;
  final String host;
  private final String variable;
  private volatile Thread killing; // null until it has begun

  /**
   * @param shell reaches the host
   * @param host name of the host
   * @param variable {@code NAME=value} in the environment of this rank alone
   */
  OrphanKiller(RemoteShell shell, String host, String variable) {
    this.shell = shell;
    this.host = host;
    this.variable = variable;
  }

  /** Begins to kill, once; further calls do nothing. */
  synchronized void kill() {
    if (killing == null) {
      killing = Daemon.start("remnants-" + host, this::run);
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
      // The host is unreachable: the rank ends itself, as it receives nothing from the launcher.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  /** Waits for the end of {@link #kill}, if it was called. */
  void await() throws InterruptedException {
    Thread begun = killing;
    if (begun != null) {
      begun.join(2 * LIMIT_MILLIS);
    }
  }
}
