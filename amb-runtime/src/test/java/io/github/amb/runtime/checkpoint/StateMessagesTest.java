package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class StateMessagesTest {
  @Property(tries = 200)
  void everyBitIsKept(@ForAll float[] floats, @ForAll double[] doubles, @ForAll long[] longs) {
    StateMap state = new StateMap();
    state.put("a/x", floats);
    state.put("a/y", doubles);
    state.put("b/z", longs);
    Message message = new Message().reset(Message.Kind.STATE, 1);
    StateMessages.put(message, state);
    StateMap read = StateMessages.state(message);
    assertEquals(List.of("a/x", "a/y", "b/z"), List.copyOf(read.entries().keySet()));
    assertArrayEquals(floats, (float[]) read.get("a/x"));
    assertArrayEquals(doubles, (double[]) read.get("a/y"));
    assertArrayEquals(longs, (long[]) read.get("b/z"));
  }

  @Property(tries = 200)
  void textIsKept(@ForAll String text) {
    // Half of a character that Java writes as two cannot be written at all.
    String whole = text.replaceAll("\\p{Cs}", "");
    Message message = new Message().reset(Message.Kind.HELLO, 0);
    StateMessages.putText(message, whole);
    assertEquals(whole, StateMessages.text(message));
  }

  @Property(tries = 500)
  void otherPayloadsAreRejected(@ForAll float[] values, @ForAll int length) {
    Message message = new Message().reset(Message.Kind.STATE, 0);
    float[] payload = Arrays.copyOf(values, values.length + 1);
    payload[0] = length;
    message.exchange(payload, payload.length);
    try {
      StateMessages.state(message);
    } catch (MalformedMessageException e) {
      assertTrue(e.reason().startsWith("STATE: expected "), e.reason());
    }
    message.exchange(new float[0], 0);
    assertThrows(MalformedMessageException.class, () -> StateMessages.state(message));
  }
}
