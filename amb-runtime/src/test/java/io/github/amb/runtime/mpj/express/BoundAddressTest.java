package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BoundAddressTest {
  /** niodev asks for another port for as long as none is free. */
  @Test
  void aRankWithoutAPortNamesTheAddress() {
    Error rejection =
        assertThrows(
            BoundAddress.JoinError.class,
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                new BoundAddress(25_000 + i % 15_001);
              }
            });
    assertTrue(rejection.getMessage().contains("from 25000 to 40000 at "), rejection.getMessage());
  }
}
