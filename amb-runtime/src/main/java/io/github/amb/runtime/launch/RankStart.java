package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How a rank is started.
 *
 * @param command starts it here, or the remote shell that does elsewhere; standard input, output
 *     and error are pipes to the launcher
 * @param remote what there is to do besides for a rank on another host, else null
 */
record RankStart(ProcessBuilder command, Remote remote) {
  /**
   * A rank on another host.
   *
   * @param host its name
   * @param script what the remote shell is told first
   * @param remnants kills what is left of it there when the remote shell has ended
   */
  record Remote(String host, String script, OrphanKiller remnants) {}

  /** Starts it. */
  Process start() throws IOException {
    Process process = command.start();
    if (remote != null) {
      try {
        process.getOutputStream().write(remote.script().getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        // It has ended already; its exit and its last words say why.
      }
    }
    return process;
  }
}
