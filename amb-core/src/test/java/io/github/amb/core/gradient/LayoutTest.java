package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
  @Test
  void sizesAreThoseOfTheBlocks() {
    Layout layout =
        new Layout(
            List.of(
                new Block("a.W", Block.Kind.WEIGHT, 0, 2, 3),
                new Block("a.mean", Block.Kind.RUNNING_STATISTIC, 6, 4),
                new Block("a.b", Block.Kind.BIAS, 10, 5)));
    assertEquals(15, layout.size());
    assertEquals(11, layout.trainable());
  }

  @Test
  void anEmptyLayoutHasNoEntries() {
    assertEquals(0, new Layout(List.of()).size());
    assertEquals(0, new Layout(List.of()).trainable());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 5, 7})
  void aGapBetweenBlocksIsRejected(int offset) {
    var blocks =
        List.of(
            new Block("a.W", Block.Kind.WEIGHT, 0, 2, 3),
            new Block("a.b", Block.Kind.BIAS, offset, 4));
    var error = assertThrows(IllegalArgumentException.class, () -> new Layout(blocks));
    assertEquals("block a.b[4]: expected offset 6, found " + offset, error.getMessage());
  }

  @Test
  void theFirstBlockStartsAtZero() {
    var blocks = List.of(new Block("a.W", Block.Kind.WEIGHT, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new Layout(blocks));
  }

  @Test
  void aLayoutDoesNotChangeWithTheListItWasMadeOf() {
    var blocks = new ArrayList<>(List.of(new Block("a.W", Block.Kind.WEIGHT, 0, 2)));
    Layout layout = new Layout(blocks);
    blocks.clear();
    assertEquals(2, layout.size());
  }

  @Test
  void aBlockKnowsItsLengthAndEnd() {
    Block block = new Block("conv.W", Block.Kind.WEIGHT, 7, 4, 3, 5, 5);
    assertEquals(300, block.length());
    assertEquals(307, block.end());
    assertEquals("conv.W[4, 3, 5, 5]", block.toString());
  }

  @Test
  void aShapeCannotBeChangedFromOutside() {
    int[] shape = {2, 3};
    Block block = new Block("a.W", Block.Kind.WEIGHT, 0, shape);
    shape[0] = 100;
    block.shape()[1] = 100;
    assertArrayEquals(new int[] {2, 3}, block.shape());
  }

  @Test
  void aBlockTooLargeForAnArrayIsRejected() {
    Block block = new Block("a.W", Block.Kind.WEIGHT, 0, 1 << 16, 1 << 16);
    assertThrows(ArithmeticException.class, block::length);
  }
}
