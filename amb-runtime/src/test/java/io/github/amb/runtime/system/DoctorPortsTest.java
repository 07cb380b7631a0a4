package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code amb doctor} on a host whose only address is wrong: a network namespace. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(500)
class DoctorPortsTest {
  @TempDir Path directory;

  private AmbProcess run(List<String> line) throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, line)) {
      amb.awaitEnd(AmbProcess.LIMIT);
      return amb;
    }
  }

  private static String ports(AmbProcess amb) throws IOException {
    List<String> lines =
        amb.stdout().stream().filter(line -> line.matches("\\w+ +ports .*")).toList();
    assertEquals(1, lines.size(), amb.everythingSaid());
    return lines.get(0);
  }

  @Test
  void aHostWhereAllPortsOfRanksAreTakenFails() throws Exception {
    AmbProcess amb = run(Namespace.withoutPorts(25_000, 40_000, AmbProcess.line("doctor")));
    assertEquals(
        "failed   ports        cannot listen: expected a free port from 25000 to 40000 at 127.0.0.1, found none; end the programs that use them, or choose another address with --bind",
        ports(amb));
    assertEquals(1, amb.exitCode());
  }

  @Test
  void aHostThatDoesNotReachItselfFails() throws Exception {
    AmbProcess amb = run(Namespace.network("ip link set lo down", AmbProcess.line("doctor")));
    String line = ports(amb);
    assertTrue(
        line.matches(
            "failed   ports        can listen on \\S*127.0.0.1:\\d{5}, but not connect to it: [^;]+; ranks connect at this address: enable its interface, and allow connections from this host in the firewall"),
        line);
    assertEquals(1, amb.exitCode());
  }
}
