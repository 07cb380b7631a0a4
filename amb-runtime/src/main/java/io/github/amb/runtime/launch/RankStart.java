package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How a rank is started.
 *
 * @param command starts it here, or starts the remote shell; standard input, output and error are
 *     pipes to the launcher
 * @param input what it reads first; on another host, the remote shell reads its script before
 * @param remote what else a rank on another host needs; null for one here
 */
public record RankStart(ProcessBuilder command, String input, Remote remote) {
  /**
   * A rank on another host.
   *
   * @param host name of the host
   * @param remnants kills the rank's remaining processes after the end of the remote shell
   */
  record Remote(String host, OrphanKiller remnants) {}

  /**
   * Starts the rank.
   *
   * @throws IOException if the process cannot be created
   */
  Process start() throws IOException {
    Process process = command.start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // The process has ended; its exit code and last line say why.
    }
    return process;
  }
}
