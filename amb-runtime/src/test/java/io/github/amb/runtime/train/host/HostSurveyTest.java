package io.github.amb.runtime.train.host;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HostSurveyTest {
  /** More hosts than the connections that can be pending. */
  private static final int HOSTS = 70;

  @Test
  void theCheckOfAHostLoadsPlugins() {
    List<String> options = List.of("toy", "fmb", "sgd", "8", "--plugins=/nowhere.jar");
    String problem =
        assertThrows(UsageException.class, () -> HostCheck.facts(options)).getMessage();
    assertTrue(problem.startsWith("--plugins: expected a jar or a directory of jars"), problem);
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
