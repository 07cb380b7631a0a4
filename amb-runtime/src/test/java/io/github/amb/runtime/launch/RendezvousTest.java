package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RendezvousTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private Rendezvous rendezvous;

  @BeforeEach
  void open() throws IOException {
    rendezvous = new Rendezvous(HERE, 2);
  }

  @AfterEach
  void close() throws IOException {
    rendezvous.close();
  }

  @Test
  void everyRankIsToldAllPortsInRankOrder() throws IOException {
    try (Socket second = greet("Sending Info", 30003, 30004, 1);
        Socket first = greet("Sending Info", 30001, 30002, 0)) {
      String expected = "#Peer Information;127.0.0.1@30002@30001@0@0;127.0.0.1@30004@30003@1@0";
      assertEquals(expected, new DataInputStream(first.getInputStream()).readUTF());
      assertEquals(expected, new DataInputStream(second.getInputStream()).readUTF());
    }
  }

  @Test
  void strangersAndDoublesAreDropped() throws IOException {
    try (Socket stranger = greet("GET / HTTP/1.1", 1, 2, 0);
        Socket outside = greet("Sending Info", 1, 2, 2);
        Socket first = greet("Sending Info", 1, 2, 0);
        Socket again = greet("Sending Info", 3, 4, 0)) {
      assertDropped(stranger);
      assertDropped(outside);
      assertDropped(again);
      assertEquals(List.of(1), rendezvous.missing());
      assertFalse(rendezvous.isComplete());
      greet("Sending Info", 5, 6, 1).close();
      assertTrue(
          new DataInputStream(first.getInputStream()).readUTF().startsWith("#Peer Information;"));
    }
  }

  private Socket greet(String greeting, int writePort, int readPort, int rank) throws IOException {
    String configuration = rendezvous.configuration(1);
    int port = Integer.parseInt(configuration.substring(configuration.lastIndexOf(';') + 1));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(greeting);
    out.writeInt(writePort);
    out.writeInt(readPort);
    out.writeInt(rank);
    Socket socket = new Socket(HERE, port);
    socket.getOutputStream().write(bytes.toByteArray());
    return socket;
  }

  /** End of stream, or a reset if the server had not read all. */
  private static void assertDropped(Socket socket) throws IOException {
    try {
      assertEquals(-1, socket.getInputStream().read());
    } catch (SocketException e) {
      assertEquals("Connection reset", e.getMessage());
    }
  }
}
