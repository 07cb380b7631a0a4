package io.github.amb.runtime.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BindAddressTest {
  private static final InetSocketAddress MASTER = new InetSocketAddress("127.0.0.1", 9);

  @Test
  void aNamedAddressOfThisHostIsTheMasters() {
    assertEquals("127.0.0.3", master("127.0.0.3", "127.0.0.1", "127.0.0.2"));
    assertEquals(
        "127.0.0.0", master("127.0.0.0/8", "127.0.0.1", "127.0.0.2").replaceAll("1$", "0"));
  }

  /** As Debian's line for a host's own name: an address that is another host everywhere else. */
  @Test
  void loopbackDoesNotServeOtherHosts() throws Exception {
    InetAddress own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
            .filter(a -> a.getAddress().length == 4)
            .findFirst()
            .orElse(null);
    if (own == null) {
      System.err.println("skipped: this host has no address but loopback");
      return;
    }
    assertEquals(own.getHostAddress(), master(null, "127.0.1.1", own.getHostAddress()));
    assertEquals(own.getHostAddress(), master(null, own.getHostAddress(), "127.0.0.1"));
  }

  @Test
  void aRunOnLoopbackAddressesStaysThere() {
    assertTrue(master(null, "127.0.0.1", "127.0.0.2").startsWith("127."));
  }

  @Test
  void anotherHostInTheFirstLineIsRejected() {
    String message =
        assertThrows(UsageException.class, () -> master(null, "198.51.100.7", "127.0.0.1"))
            .getMessage();
    assertTrue(
        message.startsWith("--hosts: expected this host, where the master runs, in the first line"),
        message);
    assertTrue(message.contains("found '198.51.100.7', 198.51.100.7"), message);
  }

  @Test
  void anUnknownAddressIsRejectedWithTheKnownOnes() {
    for (String bind : List.of("198.51.100.7", "198.51.100.0/24", "no-such-interface")) {
      String message =
          assertThrows(UsageException.class, () -> master(bind, "127.0.0.1", "127.0.0.2"))
              .getMessage();
      assertTrue(
          message.matches("--bind \\Q" + bind + "\\E: expected .*127\\.0\\.0\\.1.*"), message);
    }
  }

  @Test
  void aWorkerUsesItsOwnAddressInTheNetwork() throws Exception {
    String loopback =
        NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1")).getName();
    assertEquals("127.0.0.1", BindAddress.ofWorker(loopback, MASTER).getHostAddress());
    assertEquals("127.0.0.1", BindAddress.ofWorker("127.0.0.0/8", MASTER).getHostAddress());
    assertEquals("127.0.0.1", BindAddress.ofWorker("198.51.100.7", MASTER).getHostAddress());
    assertEquals("127.0.0.1", BindAddress.ofWorker(null, MASTER).getHostAddress());
  }

  /** Against arithmetic on the address as one number. */
  @Property(tries = 500)
  void aNetworkHasTheAddressesThatShareItsFirstBits(
      @ForAll int network, @ForAll int flipped, @ForAll @IntRange(max = 32) int bits)
      throws Exception {
    int address = network ^ flipped >>> Math.max(0, bits - 2);
    boolean expected = bits == 0 || (network ^ address) >>> Integer.SIZE - bits == 0;
    String text = address(network).getHostAddress() + "/" + bits;
    assertEquals(expected, BindAddress.network(text).test(address(address)));
  }

  @Test
  void aTextThatIsNoNetworkIsRejected() {
    for (String text : List.of("10.0.0.0/33", "10.0.0.0/", "eth0/24", "10.0.0.0/2/4", "/8")) {
      assertThrows(UsageException.class, () -> BindAddress.network(text), text);
    }
  }

  private static InetAddress address(int number) throws UnknownHostException {
    return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
  }

  private static String master(String bind, String... hosts) {
    return BindAddress.ofMaster(bind, List.of(hosts)).getHostAddress();
  }
}
