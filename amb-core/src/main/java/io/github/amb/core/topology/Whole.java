package io.github.amb.core.topology;

import io.github.amb.core.engine.Message;
import java.nio.FloatBuffer;

/**
 * Memory for a vector that comes in slices. The message that it is handed out with borrows it. If
 * messages owned such arrays, these would spread among all messages of a rank, as they exchange
 * arrays.
 */
final class Whole implements Message.Loan {
  private final FloatBuffer floats;
  private boolean lent;

  private Whole(int length) {
    floats = FloatBuffer.allocate(length);
  }

  /** This memory, or another one if it is null, lent or too small. */
  static Whole with(Whole before, int length) {
    boolean fits = before != null && !before.lent && before.floats.capacity() >= length;
    return fits ? before : new Whole(length);
  }

  void lendTo(Message message, int length) {
    lent = true;
    message.borrow(this, length);
  }

  @Override
  public FloatBuffer floats() {
    return floats;
  }

  @Override
  public void end() {
    lent = false;
  }
}
