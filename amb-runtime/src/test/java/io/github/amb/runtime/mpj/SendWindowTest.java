package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SendWindowTest {
  /** A receiver that has consumed all it got and reported when due never blocks the sender. */
  @Property
  void receiverThatKeepsUpNeverBlocksSender(
      @ForAll List<@IntRange(max = 200 << 20) Integer> sizes) {
    SendWindow window = new SendWindow();
    long messages = 0;
    long bytes = 0;
    long consumed = 0;
    for (int size : sizes) {
      assertTrue(window.admits(size));
      window.opened(size);
      consumed++;
      messages++;
      bytes += size;
      if (SendWindow.isReportDue(messages, bytes)) {
        window.reported(consumed, 1);
        messages = 0;
        bytes = 0;
      }
    }
  }

  /** A master whose workers never wait relies on it. */
  @Property
  void theMessagesOfAWindowAreAdmittedUnread(@ForAll @IntRange(min = 1, max = 1 << 28) int length) {
    SendWindow window = new SendWindow();
    for (int i = 0; i < Communicator.window(length); i++) {
      assertTrue(window.admits((long) Float.BYTES * length));
      window.opened((long) Float.BYTES * length);
    }
  }

  /** What a receiver that consumes nothing must hold is bounded, whatever is sent. */
  @Property
  void receiverThatDoesNotReadHoldsBoundedBytes(
      @ForAll List<@IntRange(max = 20 << 20) Integer> sizes) {
    SendWindow window = new SendWindow();
    long held = 0;
    int messages = 0;
    for (int size : sizes) {
      if (window.admits(size)) {
        window.opened(size);
        held += size;
        messages++;
      }
    }
    long largest = 20 << 20;
    long small = (long) SendWindow.MESSAGES * SendWindow.SMALL_BYTES;
    assertTrue(held <= SendWindow.OPEN_BYTES + largest + small, held + " bytes held");
    assertTrue(messages <= SendWindow.MESSAGES);
  }

  /** Reports are cumulative, so bytes of consumed messages are free again in order. */
  @Property
  void reportsFreeTheOldestMessages(@ForAll List<@IntRange(max = 9 << 20) Integer> sizes) {
    SendWindow window = new SendWindow();
    ArrayDeque<Integer> open = new ArrayDeque<>();
    long consumed = 0;
    for (int size : sizes) {
      while (!window.admits(size)) {
        open.remove();
        window.reported(++consumed, 1);
      }
      long held = open.stream().mapToLong(Integer::longValue).sum();
      boolean room = open.size() < SendWindow.MESSAGES && held <= SendWindow.OPEN_BYTES;
      assertTrue(room || size <= SendWindow.SMALL_BYTES);
      window.opened(size);
      open.add(size);
    }
  }

  @Test
  void aSmallMessagePassesALargeOne() {
    SendWindow window = new SendWindow();
    window.opened(100 << 20);
    assertFalse(window.admits(100 << 20));
    assertTrue(window.admits(0));
  }

  @Test
  void aReportOfUnsentMessagesIsRejected() {
    SendWindow window = new SendWindow();
    window.opened(1);
    window.reported(1, 2);
    assertThrows(EngineException.class, () -> window.reported(2, 2));
    assertThrows(EngineException.class, () -> window.reported(0, 2));
  }
}
