package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keeps niodev from lengths and heads that cannot be; needs MPJ Express. */
@Tag("system")
class DeviceGuardTest {
  @Test
  void whatNoRankSendsEndsTheSelectorWithItsCause() {
    DeviceBuffers.limit(1000);
    DeviceBuffers.destroy(DeviceBuffers.create(1000));
    for (int length : IntStream.of(1001, 1 << 30, Integer.MAX_VALUE, -1).toArray()) {
      assertThrows(IllegalStateException.class, () -> DeviceBuffers.create(length));
      assertEquals(
          "expected a message of at most 1000 bytes, found one of " + length,
          DeviceSystem.complaint());
    }
    assertThrows(IllegalStateException.class, () -> DeviceSystem.out.println(" impossible "));
    assertEquals("expected the header of a message, found other bytes", DeviceSystem.complaint());
  }
}
