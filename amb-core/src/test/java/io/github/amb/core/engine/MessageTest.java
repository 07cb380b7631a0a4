package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MessageTest {
  @Test
  void resetForgetsTheMessageButKeepsThePayloadArray() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 3);
    float[] values = message.ensureCapacity(10);
    message.examples(64);
    message.stat(Message.MAX_STATS - 1, 2.5);
    message.reset(Message.Kind.PARAMETERS, 4);
    assertEquals(Message.Kind.PARAMETERS, message.kind());
    assertEquals(4, message.step());
    assertEquals(0, message.examples());
    assertEquals(0, message.length());
    assertEquals(0, message.stat(Message.MAX_STATS - 1));
    assertSame(values, message.values());
  }

  @Test
  void aPayloadGrowsOnlyWhenItIsTooSmall() {
    Message message = new Message();
    float[] ten = message.ensureCapacity(10);
    assertSame(ten, message.ensureCapacity(4));
    assertEquals(4, message.length());
    assertSame(ten, message.ensureCapacity(10));
    float[] eleven = message.ensureCapacity(11);
    assertNotSame(ten, eleven);
    assertTrue(eleven.length >= 11);
    assertEquals(11, message.length());
  }

  @Test
  void exchangeGivesBackTheArrayItReplaces() {
    Message message = new Message();
    float[] mine = message.ensureCapacity(5);
    float[] other = new float[8];
    assertSame(mine, message.exchange(other, 6));
    assertSame(other, message.values());
    assertEquals(6, message.length());
  }

  @Test
  void aLoanIsReadInPlace() {
    Loan loan = new Loan(1, 2, 3);
    Message message = borrowed(loan, 2);
    assertSame(loan.floats, message.payload());
    assertEquals(2, message.length());
    assertEquals(0, loan.ended);
    message.release();
    message.release();
    assertEquals(1, loan.ended);
    assertEquals(0, message.length());
  }

  @Test
  void readingTheArrayCopiesALoan() {
    Loan loan = new Loan(1, 2, 3);
    Message message = borrowed(loan, 3);
    assertArrayEquals(new float[] {1, 2, 3}, Arrays.copyOf(message.values(), message.length()));
    assertEquals(1, loan.ended);
    loan.floats.put(0, 9);
    assertEquals(1, message.payload().get(0));
    assertEquals(1, loan.ended);
  }

  @Test
  void whateverReplacesALoanGivesItBack() {
    List<Consumer<Message>> replacements =
        List.of(
            message -> message.reset(Message.Kind.STOP, 1),
            message -> message.ensureCapacity(1),
            message -> message.exchange(new float[1], 1),
            message -> message.borrow(new Loan(4), 1),
            message -> new Message().reset(Message.Kind.STOP, 1).moveTo(message));
    for (Consumer<Message> replacement : replacements) {
      Loan loan = new Loan(1, 2);
      replacement.accept(borrowed(loan, 2));
      assertEquals(1, loan.ended);
    }
  }

  @Test
  void movingAMessageMovesItsLoan() {
    Loan loan = new Loan(5, 6);
    Message message = borrowed(loan, 2);
    message.source(3);
    message.examples(8);
    message.stat(4, 0.5);
    Message into = new Message();
    float[] other = into.ensureCapacity(4);
    message.moveTo(into);
    assertEquals(Message.Kind.GRADIENT, into.kind());
    assertEquals(3, into.source());
    assertEquals(8, into.examples());
    assertEquals(0.5, into.stat(4));
    assertSame(loan.floats, into.payload());
    assertEquals(0, loan.ended);
    assertSame(other, message.values());
    assertEquals(0, message.length());
    into.release();
    assertEquals(1, loan.ended);
  }

  private static Message borrowed(Loan loan, int length) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 7);
    message.borrow(loan, length);
    return message;
  }

  private static final class Loan implements Message.Loan {
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
  void aReducedMessageStaysOneUntilItIsReset() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 3).reduce();
    message.ensureCapacity(4);
    Message other = new Message();
    assertTrue(other.resetLike(message).isReduced());
    message.moveTo(other);
    assertTrue(other.isReduced());
    assertThrows(IllegalStateException.class, () -> other.multiply(0, 0, 2));
    assertFalse(other.reset(Message.Kind.GRADIENT, 4).isReduced());
  }

  @Test
  void theNumbersAreAllOfTheHeaderButFourFields() {
    Message message = new Message().reset(Message.Kind.PARAMETERS, 3);
    message.stat(Message.MAX_STATS - 1, 0.5);
    message.count(4);
    message.number(5);
    message.nonFiniteFrom(6);
    message.stateWanted(true);
    Message copy = new Message();
    copy.numbers(message.numbers());
    assertArrayEquals(message.numbers(), copy.numbers());
    assertArrayEquals(message.numbers(), new Message().resetLike(message).numbers());
    assertArrayEquals(new double[Message.NUMBERS], copy.reset(Message.Kind.STOP, 4).numbers());
    double[] places = Arrays.copyOfRange(message.numbers(), Message.MAX_STATS - 1, Message.NUMBERS);
    assertArrayEquals(new double[] {0.5, 4, 5, 6, 1}, places);
  }
}
