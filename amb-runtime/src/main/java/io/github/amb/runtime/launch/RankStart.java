package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How a rank is started.
 *
 * @param command starts it here, or starts the remote shell; standard input, output and error are
 *     pipes to the launcher
 * @param input what it reads first; on another host, the remote shell reads its script before
 * @param remnants kills the remaining processes of a rank on another host; null for one here
 */
record RankStart(ProcessBuilder command, String input, OrphanKiller remnants) {
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
