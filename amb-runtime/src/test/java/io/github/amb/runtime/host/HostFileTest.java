package io.github.amb.runtime.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFileTest {
  @Test
  void everyLineIsASlot(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("hosts_address");
    Files.writeString(file, "# cluster\n10.0.0.1\n\n 10.0.0.2  # the slow one\n10.0.0.2\n");
    List<String> hosts = HostFile.slots(file);
    assertEquals(List.of("10.0.0.1", "10.0.0.2", "10.0.0.2"), hosts);
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstHost(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("hosts"), "\ufeff10.0.0.1\n10.0.0.2\n");
    assertEquals(List.of("10.0.0.1", "10.0.0.2"), HostFile.slots(file));
  }

  @Test
  void aFileOverTheLimitIsRejected(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("hosts");
    Files.write(file, new byte[DataLimits.CONFIG_BYTES + 1]);
    var rejected = assertThrows(UsageException.class, () -> HostFile.slots(file));
    assertTrue(rejected.getMessage().contains("a file of hosts of at most"), rejected::getMessage);
  }

  @Test
  void slotsAreCounted() {
    List<String> lines = List.of("master", "user@a slots=2", "fe80::1 slots = 1");
    assertEquals(List.of("master", "user@a", "user@a", "fe80::1"), HostFile.slots("f", lines));
  }

  @Property(tries = 100)
  void everyFileOfBothFormsIsReadBack(
      @ForAll @Size(min = 2, max = 20)
          List<@AlphaChars @StringLength(min = 1, max = 9) String> hosts,
      @ForAll @IntRange(min = 1, max = 30) int slots) {
    List<String> lines = new ArrayList<>(hosts);
    lines.set(0, hosts.get(0) + " slots=" + slots);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      expected.add(hosts.get(0));
    }
    expected.addAll(hosts.subList(1, hosts.size()));
    assertEquals(expected, HostFile.slots("f", lines));
  }

  @Test
  void everyBadLineIsNamed() {
    List<String> lines = List.of("a", "b slots=0", "c d", "-oProxyCommand=x", "e slots=4 max=2");
    String message =
        assertThrows(UsageException.class, () -> HostFile.slots("hosts", lines)).getMessage();
    assertEquals(4, message.lines().count(), message);
    assertTrue(
        message.startsWith("--hosts: hosts, line 2: expected an address or name, such as "),
        message);
    assertTrue(message.contains("found 'b slots=0'"), message);
  }

  @Test
  void fewerThanTwoSlotsAreRejected(@TempDir Path directory) {
    String alone =
        assertThrows(UsageException.class, () -> HostFile.slots("f", List.of("a"))).getMessage();
    assertEquals(
        "--hosts: f: expected at least 2 slots, for a master and a worker, found 1", alone);
    assertThrows(UsageException.class, () -> HostFile.slots(directory.resolve("none")));
  }
}
