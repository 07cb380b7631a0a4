package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code amb doctor} on a host whose only address is wrong: a network namespace. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
@Timeout(500)
class DoctorPortsTest {
  private static final String UP = "ip link set lo up";

  /** Each port that is taken is an open file. */
  private static final String UP_AND_MANY_FILES = UP + " && [ $(ulimit -Hn) -gt 16000 ]";

  @TempDir Path directory;

  /** Runs a program on such a host; skips the test, aloud, where there can be none. */
  private AmbProcess run(String preparation, Class<?> program) throws Exception {
    expect(preparation);
    List<String> line = AmbProcess.line("doctor");
    line.set(line.indexOf(Amb.class.getName()), program.getName());
    List<String> there = onHost(preparation + " && exec \"$@\"");
    there.addAll(line);
    try (AmbProcess amb = AmbProcess.start(directory, there)) {
      amb.awaitEnd(AmbProcess.LIMIT);
      return amb;
    }
  }

  private void expect(String preparation) throws Exception {
    Path probe = directory.resolve("probe");
    int code;
    try (AmbProcess process = AmbProcess.start(probe, onHost(preparation))) {
      code = process.awaitEnd(AmbProcess.LIMIT);
      if (code != 0) {
        System.err.println(
            "DoctorPortsTest is skipped for want of a network namespace with '%s': %s"
                .formatted(preparation, process.stderr()));
      }
    } catch (IOException e) {
      code = 1;
      System.err.println("DoctorPortsTest is skipped for want of unshare: " + e.getMessage());
    }
    assumeTrue(code == 0, "no network namespace of a test's own");
  }

  private static List<String> onHost(String script) {
    // Who is not root can be so on such a host alone.
    return new ArrayList<>(
        List.of("unshare", "--map-root-user", "--net", "sh", "-c", script, "sh"));
  }

  private static String ports(AmbProcess amb) throws IOException {
    List<String> lines =
        amb.stdout().stream().filter(line -> line.matches("\\w+ +ports .*")).toList();
    assertEquals(1, lines.size(), amb.everythingSaid());
    return lines.get(0);
  }

  @Test
  void aHostWhereAllPortsOfRanksAreTakenFails() throws Exception {
    AmbProcess amb = run(UP_AND_MANY_FILES, PortTaker.class);
    assertEquals(
        "failed   ports        no port to listen on: expected one from 25000 to 40000 at 127.0.0.1 that is free, found none; end what has them, or choose another address with --bind",
        ports(amb));
    assertEquals(1, amb.exitCode());
  }

  @Test
  void aHostThatDoesNotReachItselfFails() throws Exception {
    AmbProcess amb = run("ip link set lo down", Amb.class);
    String line = ports(amb);
    assertTrue(
        line.matches(
            "failed   ports        can listen on \\S*127.0.0.1:\\d{5}, but not connect to it: [^;]+; ranks meet at this address: set its interface up, and let the firewall pass what comes from this host"),
        line);
    assertEquals(1, amb.exitCode());
  }
}
