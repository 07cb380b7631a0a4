package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How a rank is started.
 *
 * @param command starts it here, or starts the remote shell; standard input, output and error are
 *     pipes to the launcher
 * @param remote further steps for a rank on another host; null for one here
 */
public record RankStart(ProcessBuilder command, Remote remote) {
  /**
   * A rank on another host.
   *
   * @param host name of the host
   * @param script sent to the remote shell first
   * @param remnants kills the rank's remaining processes after the end of the remote shell
   */
  record Remote(String host, String script, OrphanKiller remnants) {}

  /**
   * Starts the rank.
   *
   * @throws IOException if the process cannot be created
   */
  Process start() throws IOException {
    Process process = command.start();
    if (remote != null) {
      try {
        process.getOutputStream().write(remote.script().getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        // The shell has ended; its exit code and last line say why.
      }
    }
    return process;
  }
}
