package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
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

  @Test
  void aLoanIsReadInPlace() {
    Loan loan = new Loan(1, 2, 3);
    Frame frame = borrowed(loan, 2);
    assertSame(loan.floats, frame.payload());
    assertEquals(2, frame.length());
    assertEquals(0, loan.ended);
    frame.release();
    frame.release();
    assertEquals(1, loan.ended);
    assertEquals(0, frame.length());
  }

  @Test
  void readingTheArrayCopiesALoan() {
    Loan loan = new Loan(1, 2, 3);
    Frame frame = borrowed(loan, 3);
    assertArrayEquals(new float[] {1, 2, 3}, Arrays.copyOf(frame.values(), frame.length()));
    assertEquals(1, loan.ended);
    loan.floats.put(0, 9);
    assertEquals(1, frame.payload().get(0));
    assertEquals(1, loan.ended);
  }

  @Test
  void whateverReplacesALoanGivesItBack() {
    List<Consumer<Frame>> replacements =
        List.of(
            frame -> frame.reset(Frame.Kind.STOP, 1),
            frame -> frame.ensureCapacity(1),
            frame -> frame.exchange(new float[1], 1),
            frame -> frame.borrow(new Loan(4), 1),
            frame -> new Frame().reset(Frame.Kind.STOP, 1).moveTo(frame));
    for (Consumer<Frame> replacement : replacements) {
      Loan loan = new Loan(1, 2);
      replacement.accept(borrowed(loan, 2));
      assertEquals(1, loan.ended);
    }
  }

  @Test
  void movingAFrameMovesItsLoan() {
    Loan loan = new Loan(5, 6);
    Frame frame = borrowed(loan, 2);
    frame.source(3);
    frame.examples(8);
    frame.stat(4, 0.5);
    Frame into = new Frame();
    float[] other = into.ensureCapacity(4);
    frame.moveTo(into);
    assertEquals(Frame.Kind.GRADIENT, into.kind());
    assertEquals(3, into.source());
    assertEquals(8, into.examples());
    assertEquals(0.5, into.stat(4));
    assertSame(loan.floats, into.payload());
    assertEquals(0, loan.ended);
    assertSame(other, frame.values());
    assertEquals(0, frame.length());
    into.release();
    assertEquals(1, loan.ended);
  }

  private static Frame borrowed(Loan loan, int length) {
    Frame frame = new Frame().reset(Frame.Kind.GRADIENT, 7);
    frame.borrow(loan, length);
    return frame;
  }

  private static final class Loan implements Frame.Loan {
    private final FloatBuffer floats;
    private int ended;

    Loan(float... values) {
      floats = FloatBuffer.wrap(values);
    }

    @Override
    public FloatBuffer floats() {
      return floats;
    }

    @Override
    public void end() {
      ended++;
    }
  }

  @Test
  void aReducedFrameStaysOneUntilItIsReset() {
    Frame frame = new Frame().reset(Frame.Kind.GRADIENT, 3).reduce();
    frame.ensureCapacity(4);
    Frame other = new Frame();
    assertTrue(other.resetLike(frame).isReduced());
    frame.moveTo(other);
    assertTrue(other.isReduced());
    assertFalse(other.reset(Frame.Kind.GRADIENT, 4).isReduced());
  }
}
