package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpiPayloadTest {
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  @ParameterizedTest
  @CsvSource({"1, 64", "1024, 64", "524287, 64", "524288, 2097152", "1500000, 2097152"})
  void allOfThePayloadIsZero(int capacity, long alignment) {
    MpiPayload payload = new MpiPayload(new MpiPayloadPool(), capacity);
    assertEquals(capacity, payload.capacity());
    assertEquals(0, payload.pointer.address() % alignment);
    for (int i = 0; i < capacity; i++) {
      assertEquals(0, payload.floats().get(i));
      payload.floats().put(i, i);
    }
    assertEquals(capacity - 1, payload.pointer.get(capacity - 1));
  }

  @Test
  void aLongOneAsksForHugePages() throws IOException {
    assumeTrue(Files.exists(HUGE_PAGES), "this kernel has no huge pages");
    MpiPayload payload = new MpiPayload(new MpiPayloadPool(), 4 << 20);
    assertTrue(flags(payload.pointer.address()).contains("hg"));
  }

  /** Flags of the part of this process' memory that has the address. */
  private static List<String> flags(long address) throws IOException {
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-");
        inside =
            Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0;
      } else if (inside && line.startsWith("VmFlags:")) {
        return List.of(line.split("\\s+"));
      }
    }
    throw new AssertionError("no memory at " + Long.toHexString(address));
  }
}
