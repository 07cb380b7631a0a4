package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker has after parameters have come as differences, in one world and in the next. */
class ReplicaTest {
  private static final Coding CODING = Codecs.parse("topk:0.2+min=1");
  private static final String DOWN = CodecCommunicator.DOWNLINK;
  private static final Layout LAYOUT = CodecSamples.layout(new int[] {6, 5});

  private final float[] first = CodecSamples.laplace(LAYOUT.size(), 1);
  private final float[] second = CodecSamples.laplace(LAYOUT.size(), 2);
  private final float[] third = CodecSamples.laplace(LAYOUT.size(), 3);

  @Test
  void whatAMessageLackedIsInTheNext() {
    Replicas master = new Replicas(LAYOUT, CODING, CodecSamples.STREAMS, 2);
    Replica worker = new Replica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN);
    send(master.ofAll(), worker, first, 0);
    assertArrayEquals(first, worker.values);
    for (int step = 1; step <= 5; step++) {
      assertFalse(Arrays.equals(second, worker.values));
      send(master.ofAll(), worker, second, step);
    }
    // What a message brings is rounded: a difference of the two vectors.
    for (int i = 0; i < second.length; i++) {
      assertEquals(second[i], worker.values[i], Math.ulp(Math.abs(first[i]) + Math.abs(second[i])));
    }
  }

  /**
   * Parameters change by at most G per message, and a contraction has a bound q &lt; 1. Then the
   * root mean square of a copy's error is at most B = G √q/(1 − √q) (Karimireddy et al., ICML 2019,
   * Lemma 3). By Markov's inequality the error exceeds 1e5 B but once in 1e10 runs. Without
   * contraction it grows by a factor per message.
   */
  @ParameterizedTest
  @ValueSource(strings = {"qsgd:2", "randomk:0.1", "atomo-entry:0.05"})
  void errorsOfCopiesStayBounded(String codec) {
    Layout layout = CodecSamples.layout(new int[] {12, 20});
    Coding coding = new Codings(Coding.NONE, Codecs.parse(codec + "+min=1")).downlink();
    SharedReplica master = new SharedReplica(layout, coding, CodecSamples.STREAMS, DOWN, 0);
    Replica worker = new Replica(layout, coding, CodecSamples.STREAMS, DOWN);
    float[] parameters = new float[layout.size()];
    double largest = 0;
    for (int step = 0; step < 300; step++) {
      float[] change = CodecSamples.laplace(layout.size(), step);
      largest = Math.max(largest, Math.sqrt(CodecSamples.squaredNorm(change)));
      add(parameters, 1, change);
      send(master, worker, parameters, step);
    }
    add(parameters, -1, worker.values);

    double share = Math.sqrt(Codecs.parse(codec).codec().contraction().errorBound(12, 20));
    double bound = 1e5 * largest * share / (1 - share);
    double error = Math.sqrt(CodecSamples.squaredNorm(parameters));
    assertTrue(error <= bound, () -> error + ", expected up to " + bound);
  }

  private static void add(float[] sum, float factor, float[] addend) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += factor * addend[i];
    }
  }

  /** Worker 1 is lost, worker 2 has not had the last message, and is worker 1 from now on. */
  @Test
  void aNewGenerationContinuesFromWhatWasSent() {
    StateRegistry before = new StateRegistry();
    Replicas master = new Replicas(LAYOUT, CODING, CodecSamples.STREAMS, 3);
    before.register("downlink", master);
    Replica worker = new Replica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN);
    send(master.ofAll(), worker, first, 0);
    Replica whole = new Replica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN);
    SharedReplica undisturbed = new SharedReplica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN, 0);
    send(undisturbed, whole, first, 0);
    send(undisturbed, whole, second, 1);
    master.ofAll().encode(second, 1);

    StateRegistry after = new StateRegistry();
    after.restoreFitting(saved(before));
    Replicas fewer = new Replicas(LAYOUT, CODING, CodecSamples.STREAMS, 2);
    after.register("downlink", fewer);
    send(fewer.ofAll(), worker, second, 1);
    assertArrayEquals(whole.values, worker.values);
    send(undisturbed, whole, third, 2);
    send(fewer.ofAll(), worker, third, 2);
    assertArrayEquals(whole.values, worker.values);
  }

  @Test
  void aResumedRunContinuesWithDifferences() {
    StateRegistry before = new StateRegistry();
    Replicas master = new Replicas(LAYOUT, CODING, CodecSamples.STREAMS, 2);
    before.register("downlink", master);
    Replica worker = new Replica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN);
    send(master.ofAll(), worker, first, 0);
    before.register("worker", worker);
    StateMap state = saved(before);
    send(master.ofAll(), worker, second, 1);

    StateRegistry after = new StateRegistry();
    after.restoreFrom(state);
    Replicas again = new Replicas(LAYOUT, CODING, CodecSamples.STREAMS, 2);
    after.register("downlink", again);
    Replica other = new Replica(LAYOUT, CODING, CodecSamples.STREAMS, DOWN);
    after.register("worker", other);
    send(again.ofAll(), other, second, 1);
    assertArrayEquals(worker.values, other.values);
    assertFalse(Arrays.equals(second, other.values));
  }

  private static StateMap saved(StateRegistry registry) {
    StateMap state = new StateMap();
    registry.save(state);
    return state;
  }

  private static void send(SharedReplica master, Replica worker, float[] parameters, long step) {
    int length = master.encode(parameters, step);
    worker.advance(master.encoder().message(), length, step);
  }
}
