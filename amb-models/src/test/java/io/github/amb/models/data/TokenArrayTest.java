package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenArrayTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 256, 257, 1 << 16})
  void whatIsAddedIsFoundAfterItHasGrown(int vocabulary) {
    int[] added = new Random(1).ints(10_000, 0, vocabulary).toArray();
    TokenArray tokens = new TokenArray(0, vocabulary);
    for (int token : added) {
      if (tokens.length() == tokens.capacity()) {
        tokens.grow(2 * tokens.capacity());
      }
      tokens.add(token);
    }
    assertEquals(added.length, tokens.length());
    for (int i = 0; i < added.length; i++) {
      assertEquals(added[i], tokens.get(i), "entry " + i);
    }
  }
}
