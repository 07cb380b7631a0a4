package io.github.amb.runtime.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @Test
  void aPortAloneIsOneOfThisMachineAlone() {
    assertEquals(new ListenAddress("127.0.0.1", 9400), ListenAddress.parse("9400"));
  }

  @Test
  void anAddressStandsBeforeThePort() {
    assertEquals(new ListenAddress("0.0.0.0", 0), ListenAddress.parse("0.0.0.0:0"));
    assertEquals(
        new ListenAddress("node-3.site", 65_535), ListenAddress.parse("node-3.site:65535"));
    assertEquals(new ListenAddress("::1", 80), ListenAddress.parse("[::1]:80"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "65536", "-1", ":80", "host:", "::1:80", "[::1]", "http://a:1"})
  void otherTextsAreRejected(String text) {
    assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text));
  }

  @Test
  void aPortInUseIsNamedWithTheOption() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ListenAddress address = new ListenAddress("127.0.0.1", other.getLocalPort());
      String problem =
          assertThrows(UsageException.class, () -> address.check("dashboard", () -> {}))
              .getMessage();
      String found = "found 127.0.0.1:" + other.getLocalPort();
      assertTrue(problem.startsWith("--dashboard: expected a free port of this machine"), problem);
      assertTrue(problem.contains(found), problem);
    }
  }

  @Test
  void anAddressIsTheSameInEachSpelling() {
    ListenAddress address = ListenAddress.parse("9400");
    assertTrue(address.isSame(ListenAddress.parse("127.0.0.1:9400")));
    assertFalse(address.isSame(ListenAddress.parse("127.0.0.1:9401")));
    assertFalse(address.isSame(ListenAddress.parse("127.0.0.2:9400")));
    assertFalse(ListenAddress.parse("0").isSame(ListenAddress.parse("0")));
  }
}
