package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.update.Clipping;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.Sgd;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results without examples have been dropped, whatever a codec makes of their zeros. */
class GatheringTest {
  private static final Layout LAYOUT = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, 3)));

  private final Gathering gathering = new Gathering(2);
  private MasterUpdate update = new MasterUpdate(LAYOUT, new Sgd(), WeightDecay.NONE);
  private final float[] parameters = new float[3];

  private void take(int rank, int examples, float... values) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.source(rank);
    message.examples(examples);
    message.exchange(values, values.length);
    gathering.take(message);
  }

  private void apply() {
    gathering.close();
    gathering.apply(update, parameters, gathering.examples(), 1);
  }

  /** A zero is encoded as a positive sign. */
  @Test
  void aDroppedResultHasNoVote() {
    Codings codings = new Codings(Codecs.parse("signsgd"), Coding.NONE);
    update =
        new MasterUpdate(LAYOUT, new Sgd(), WeightDecay.NONE, Clipping.NONE, codings.hook(LAYOUT));
    take(1, 0, 1, 1, 1);
    take(2, 4, 1, -1, -1);
    apply();
    assertArrayEquals(new float[] {-1, 1, 1}, parameters);
  }

  @Test
  void aDroppedResultIsNotAddedToItsWorkersOthers() {
    take(1, 0, 1, 1, 1);
    take(1, 1, 1, -1, -1);
    take(1, 0, 1, 1, 1);
    assertEquals(3, gathering.results());
    apply();
    assertArrayEquals(new float[] {-1, 1, 1}, parameters);
  }

  @Test
  void droppedResultsAloneChangeNothing() {
    take(1, 0, 1, 1, 1);
    FloatBuffer copy = FloatBuffer.allocate(3);
    gathering.copyTo(copy);
    apply();
    assertArrayEquals(new float[3], parameters);
    assertFalse(gathering.copied(), "nothing has been written there");
    gathering.clear();
    take(1, 1, 1, -1, -1);
    apply();
    assertTrue(gathering.copied());
    assertArrayEquals(parameters, copy.array());
  }
}
