package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.RemoteShell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSurveyTest {
  /** More hosts than the connections that can be pending. */
  private static final int HOSTS = 70;

  @Test
  void theCheckOfAHostLoadsPlugins() {
    List<String> plugins = List.of("--plugins=/nowhere.jar");
    String problem =
        assertThrows(UsageException.class, () -> HostCheck.facts(plugins, "{}")).getMessage();
    assertTrue(problem.startsWith("--plugins: expected a jar or a directory of jars"), problem);
  }

  /**
   * What a shell prints before the answer: nothing, a prompt, a window title and colors, a forged
   * answer, more than a pipe holds, and a banner of one line of 3 MB.
   */
  @Tag("lab")
  @Timeout(120)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "printf 'node1> '",
        "printf '\\033]0;node1\\007\\033[32mnode1$\\033[0m '",
        "echo 'amb-host address 192.0.2.1'; printf 'amb-host address '",
        "head -c 3000000 /dev/zero | tr '\\0' '\\n'",
        "head -c 3000000 /dev/zero | tr '\\0' x"
      })
  void whatAShellPrintsDoesNotMoveRanks(String prints, @TempDir Path directory)
      throws IOException, InterruptedException {
    assertEquals(
        Map.of("node1", InetAddress.getLoopbackAddress()),
        survey(directory, prints + "; shift; exec \"$@\"").addresses(List.of("node1")));
  }

  @Tag("lab")
  @Timeout(120)
  @Test
  void aHostWithoutAnAddressIsAProblem(@TempDir Path directory) throws IOException {
    // Of the answer, all but the address.
    String without = "sed 's/\"address\":\"[^\"]*\",//'";
    HostSurvey survey = survey(directory, "shift; \"$@\" | " + without);
    UsageException found =
        assertThrows(UsageException.class, () -> survey.addresses(List.of("node1")));
    assertTrue(found.getMessage().startsWith("host node1: "), found.getMessage());
  }

  private static HostSurvey survey(Path directory, String script) throws IOException {
    Path shell = directory.resolve("shell");
    Files.writeString(shell, "#!/bin/bash\n" + script + "\n");
    assertTrue(shell.toFile().setExecutable(true));
    Settings settings = CommandLine.parse(List.of("toy", "fmb", "sgd", "8")).settings();
    return new HostSurvey(
        settings,
        new RemoteShell(List.of(shell.toString())),
        null,
        InetAddress.getLoopbackAddress(),
        60_000);
  }

  @Test
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void moreThan64HostsReachTheMaster() throws IOException {
    InetAddress master = InetAddress.getLoopbackAddress();
    try (ServerSocket door = HostSurvey.door(master)) {
      for (int host = 0; host < HOSTS; host++) {
        try (Socket socket = new Socket(master, door.getLocalPort())) {
          assertTrue(socket.isConnected());
        }
      }
    }
  }
}
