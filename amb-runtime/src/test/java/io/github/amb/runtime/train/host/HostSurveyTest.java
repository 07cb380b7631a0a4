package io.github.amb.runtime.train.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HostSurveyTest {
  /** More hosts than the connections that can be pending. */
  private static final int HOSTS = 70;

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
