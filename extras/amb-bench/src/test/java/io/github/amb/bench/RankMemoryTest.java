package io.github.amb.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RankMemoryTest {
  @Test
  void aRankIsKnownByItsCommandLine() {
    assertEquals(
        12, RankMemory.rank("java\0-cp\0x\0io.github.amb.runtime.Train\0" + "12\0conf\0niodev\0"));
    assertEquals(-1, RankMemory.rank("java\0io.github.amb.runtime.Amb\0train\0"));
    assertEquals(-1, RankMemory.rank("java\0io.github.amb.runtime.Train\0"));
    assertEquals(-1, RankMemory.rank("java\0io.github.amb.runtime.Train\0--help\0"));
    assertEquals(-1, RankMemory.rank(""));
  }
}
