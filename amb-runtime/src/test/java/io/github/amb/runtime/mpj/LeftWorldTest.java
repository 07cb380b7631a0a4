package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.engine.LostException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process group that is left before its rank has begun to form it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeftWorldTest {
  private static final String SELECTOR = "xdev.niodev.NIODevice$2";

  @Test
  void theThreadOfAnAbandonedGroupEnds() throws Exception {
    WorldLoader loader = WorldLoader.create();
    MpjEngine.leaveUnfinished(loader);
    try (ServerSocket meeting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread host = new Thread(() -> meet(meeting));
      host.start();
      String[] rank = {
        "0",
        "#Number of Processes;2;#Protocol Switch Limit;131072;#Server Name;127.0.0.1;#Server Port;"
            + meeting.getLocalPort(),
        "niodev"
      };
      Thread.currentThread().interrupt(); // As Joining does, so that the other rank is not awaited.
      assertThrows(LostException.class, () -> MpjEngine.join(loader, 1, rank, null));
      host.join();
    }
    while (receives()) {
      Thread.sleep(20);
    }
  }

  private static boolean receives() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(call -> call.getClassName().equals(SELECTOR));
  }

  /** Tells rank 0 where it and another rank are, as MPJ Express' launcher does. */
  private static void meet(ServerSocket meeting) {
    try (Socket rank = meeting.accept()) {
      DataInputStream in = new DataInputStream(rank.getInputStream());
      in.readUTF();
      int written = in.readInt();
      int read = in.readInt();
      in.readInt();
      String own = "127.0.0.1@" + read + "@" + written + "@0";
      new DataOutputStream(rank.getOutputStream())
          .writeUTF("#Peer Information;" + own + ";127.0.0.1@1@2@1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
