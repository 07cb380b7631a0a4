package io.github.amb.core.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Eight entries and two workers: the second slice has the end of the weights, and the biases. */
class SliceCodecsTest {
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("w", Block.Kind.WEIGHT, 0, 2, 3), new Block("b", Block.Kind.BIAS, 6, 2)));
  private static final Clock CLOCK = new SystemClock();

  private static SliceCodecs codecs(int rank, int workers) {
    return new SliceCodecs(
        LAYOUT, workers, Codecs.parse("topk:0.25+ef+min=1"), new Streams(1), CLOCK, rank);
  }

  private static Message gradient(long step, long examples, float... values) {
    Message message = new Message().reset(Message.Kind.GRADIENT, step);
    message.examples(examples);
    System.arraycopy(values, 0, message.ensureCapacity(values.length), 0, values.length);
    return message;
  }

  /** What the owner of a slice decodes of what rank 1 has encoded. */
  private static float[] decoded(SliceCodecs sender, int owner, long step) {
    Message wire = sender.pack(owner, new Message().reset(Message.Kind.ADDEND, step));
    assertEquals(sender.floats(owner), wire.length());
    assertEquals(8, wire.count());
    wire.source(1);
    Message into = new Message();
    codecs(owner, 2).decode(wire, into);
    assertEquals(1, into.source());
    assertEquals(4, into.length());
    return Arrays.copyOf(into.values(), into.length());
  }

  private static void assertSlices(SliceCodecs sender, long step, float... expected) {
    assertArrayEquals(Arrays.copyOf(expected, 4), decoded(sender, 1, step));
    assertArrayEquals(Arrays.copyOfRange(expected, 4, 8), decoded(sender, 2, step));
  }

  @Test
  void partsOfBlocksHaveTheirOffsetsAndOneDimension() {
    assertEquals("[w-0[4]]", SliceCodecs.part(LAYOUT, 0, 4).blocks().toString());
    Layout second = SliceCodecs.part(LAYOUT, 4, 8);
    assertEquals("[w-4[2], b[2]]", second.blocks().toString());
    assertEquals(2, second.blocks().get(1).offset());
    assertEquals("[w[2, 3]]", SliceCodecs.part(LAYOUT, 0, 6).blocks().toString());
  }

  /** One entry of each slice of the weights is sent; the others wait. Biases are sent whole. */
  @Test
  void eachSliceHasLargestEntriesAndAResidualOfItsOwn() {
    SliceCodecs sender = codecs(1, 2);
    sender.encode(gradient(1, 3, 1, -3, 2, 0.5f, 4, -1, 7, 8));
    assertSlices(sender, 1, 0, -3, 0, 0, 4, 0, 7, 8);
    sender.encode(gradient(2, 3, 0.5f, 0, 0, 0, 0.25f, 0, 0, -1));
    assertSlices(sender, 2, 0, 0, 2, 0, 0, -1, 0, -1);
    sender.encode(gradient(3, 0, 9, 9, 9, 9, 9, 9, 9, 9));
    assertEquals(0, sender.floats(1));
    assertSlices(sender, 3, 0, 0, 0, 0, 0, 0, 0, 0);
    sender.encode(gradient(4, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    assertSlices(sender, 4, 1.5f, 0, 0, 0, 0.25f, 0, 0, 0);
  }

  @Test
  void residualsAreRestoredUnlessTheNumberOfWorkersIsAnother() {
    SliceCodecs before = codecs(1, 2);
    before.encode(gradient(1, 3, 1, -3, 2, 0.5f, 4, -1, 7, 8));
    StateMap saved = new StateMap();
    saved.save(SliceCodecs.LINK, before);
    for (boolean exact : new boolean[] {true, false}) {
      StateRegistry registry = new StateRegistry();
      if (exact) {
        registry.restoreFrom(saved.copy());
      } else {
        registry.restoreFitting(saved.copy());
      }
      SliceCodecs same = codecs(1, 2);
      registry.register(SliceCodecs.LINK, same);
      same.encode(gradient(2, 3, 0, 0, 0, 0, 0, 0, 0, 0));
      assertSlices(same, 2, 0, 0, 2, 0, 0, -1, 0, 0);
      SliceCodecs other = codecs(1, 3);
      registry.register(SliceCodecs.LINK, other);
      other.encode(gradient(2, 3, 0, 0, 0, 0, 0, 0, 0, 0));
      StateMap anew = new StateMap();
      anew.save(SliceCodecs.LINK, other);
      assertArrayEquals(new float[2], (float[]) anew.get("uplink/1.w-0.residual"));
    }
    StateRegistry ofStar = new StateRegistry();
    StateMap star = new StateMap();
    star.put("uplink/w.residual", new float[6]);
    ofStar.restoreFrom(star);
    ofStar.register(SliceCodecs.LINK, codecs(1, 2)); // Begins anew.
  }

  @Test
  void anEntryThatIsNotFiniteIsNamedAsInTheWholeGradient() {
    SliceCodecs sender = codecs(1, 2);
    NonFiniteGradientException found =
        assertThrows(
            NonFiniteGradientException.class,
            () -> sender.encode(gradient(5, 3, 1, 1, 1, 1, 1, Float.NaN, 1, 1)));
    assertEquals("w", found.block());
    assertTrue(found.getMessage().contains("step 5: gradient of rank 1"), found.getMessage());
    assertTrue(found.getMessage().contains("block w, entry 5"), found.getMessage());
  }
}
