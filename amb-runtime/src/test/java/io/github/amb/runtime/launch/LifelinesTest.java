package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LifelinesTest {
  private static final long LIMIT_SECONDS = 20;
  private static final RunSecret SECRET = RunSecret.draw();

  private final BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
  private Lifelines lifelines;

  @BeforeEach
  void open() throws IOException {
    lifelines = new Lifelines(InetAddress.getLoopbackAddress(), 2, SECRET);
    lifelines.listen(1, () -> heard.add(1));
    lifelines.listen(2, () -> heard.add(2));
  }

  @AfterEach
  void close() throws IOException {
    lifelines.close();
  }

  private Socket connect(int rank, String proof) throws IOException {
    String[] place = lifelines.place().split(" ");
    Socket socket = new Socket(place[0], Integer.parseInt(place[1]));
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(rank);
    out.writeUTF(proof);
    out.write(0);
    return socket;
  }

  @Test
  void signsOfLifeAreHeardAndAnsweredAlsoOnANewConnection() throws Exception {
    for (int connection = 0; connection < 2; connection++) {
      try (Socket socket = connect(2, SECRET.proofOfLifeline(2))) {
        assertEquals(0, socket.getInputStream().read());
        assertEquals(2, heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
        socket.getOutputStream().write(0);
        assertEquals(0, socket.getInputStream().read());
        assertEquals(2, heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void whoDoesNotKnowTheSecretOrSpeaksForAnotherIsCutOff() throws Exception {
    try (Socket stranger = connect(1, RunSecret.draw().proofOfLifeline(1));
        Socket impostor = connect(1, SECRET.proofOfLifeline(2))) {
      assertEquals(-1, read(stranger));
      assertEquals(-1, read(impostor));
      assertNull(heard.poll());
    }
  }

  /** A reset, as bytes were not read, is an end as well. */
  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void theEndOfTheRunEndsAllConnections() throws Exception {
    try (Socket socket = connect(1, SECRET.proofOfLifeline(1))) {
      assertEquals(1, heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
      lifelines.close();
      assertTrue(socket.getInputStream().readNBytes(2).length < 2);
    }
  }
}
