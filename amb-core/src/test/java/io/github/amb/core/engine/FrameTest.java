package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FrameTest {
  @Test
  void resetForgetsTheMessageButKeepsThePayloadArray() {
    Frame frame = new Frame().reset(Frame.Kind.GRADIENT, 3);
    float[] values = frame.ensureCapacity(10);
    frame.examples(64);
    frame.stat(Frame.MAX_STATS - 1, 2.5);
    frame.reset(Frame.Kind.PARAMETERS, 4);
    assertEquals(Frame.Kind.PARAMETERS, frame.kind());
    assertEquals(4, frame.step());
    assertEquals(0, frame.examples());
    assertEquals(0, frame.length());
    assertEquals(0, frame.stat(Frame.MAX_STATS - 1));
    assertSame(values, frame.values());
  }

  @Test
  void aPayloadGrowsOnlyWhenItIsTooSmall() {
    Frame frame = new Frame();
    float[] ten = frame.ensureCapacity(10);
    assertSame(ten, frame.ensureCapacity(4));
    assertEquals(4, frame.length());
    assertSame(ten, frame.ensureCapacity(10));
    float[] eleven = frame.ensureCapacity(11);
    assertNotSame(ten, eleven);
    assertTrue(eleven.length >= 11);
    assertEquals(11, frame.length());
  }

  @Test
  void exchangeGivesBackTheArrayItReplaces() {
    Frame frame = new Frame();
    float[] mine = frame.ensureCapacity(5);
    float[] other = new float[8];
    assertSame(mine, frame.exchange(other, 6));
    assertSame(other, frame.values());
    assertEquals(6, frame.length());
  }
}
