package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StalenessTest {
  private static final String CODING = "adacomp:0.3";
  private static final int WORKERS = 4;
  private static final Layout LAYOUT = CodecSamples.layout(new int[] {4, 3}, new int[] {9});

  /** The predecessor program's rule, literally: how many of the last D updates have the entry. */
  private static int literal(List<Set<Integer>> history, int pulled, int entry) {
    int staleness = 0;
    for (Set<Integer> update : history.subList(pulled, history.size())) {
      staleness += update.contains(entry) ? 1 : 0;
    }
    return Math.max(1, staleness);
  }

  @Property(tries = 200)
  void countersAgreeWithScanningTheHistory(
      @ForAll @Size(max = 60) List<@IntRange(min = 1, max = WORKERS) Integer> arrivals) {
    Staleness staleness = new Staleness(LAYOUT);
    staleness.start(WORKERS + 1);
    VectorDecoder decoder = CodecSamples.decoder(LAYOUT, CODING);
    List<Set<Integer>> history = new ArrayList<>();
    int[] pulled = new int[WORKERS + 1];
    for (int rank = 1; rank <= WORKERS; rank++) {
      staleness.sent(rank, 1);
    }
    for (int rank : arrivals) {
      long step = pulled[rank] + 1;
      float[] sent = push(decoder, history.size(), step);
      float[] divided = sent.clone();
      staleness.divide(rank, step, decoder, divided);
      Set<Integer> entries = new HashSet<>();
      for (int i = 0; i < sent.length; i++) {
        assertEquals(sent[i] / literal(history, pulled[rank], i), divided[i]);
        if (sent[i] != 0) {
          entries.add(i);
        }
      }
      staleness.begin(1, new int[] {rank}, 1);
      history.add(entries);
      pulled[rank] = history.size();
      staleness.sent(rank, pulled[rank] + 1);
    }
  }

  private static float[] push(VectorDecoder decoder, int seed, long step) {
    float[] gradient = CodecSamples.laplace(LAYOUT.size(), seed);
    return CodecSamples.pass(CodecSamples.encoder(LAYOUT, CODING), decoder, gradient, step);
  }

  @Test
  void gradientsOfOneUpdateAreNotStaleToEachOther() {
    Staleness staleness = new Staleness(LAYOUT);
    staleness.start(3);
    VectorDecoder decoder = CodecSamples.decoder(LAYOUT, CODING);
    for (int step = 1; step <= 3; step++) {
      for (int rank = 1; rank <= 2; rank++) {
        staleness.sent(rank, step);
      }
      for (int rank = 1; rank <= 2; rank++) {
        float[] sent = push(decoder, 7, step);
        float[] divided = sent.clone();
        staleness.divide(rank, step, decoder, divided);
        assertEquals(0, CodecSamples.squaredDistance(sent, divided));
      }
      staleness.begin(1, new int[] {1, 2}, 2);
    }
  }

  @Test
  void aGradientAtParametersThatWereNeverSentIsRejected() {
    Staleness staleness = new Staleness(LAYOUT);
    staleness.start(2);
    VectorDecoder decoder = CodecSamples.decoder(LAYOUT, CODING);
    staleness.sent(1, 1);
    float[] sent = push(decoder, 7, 5);
    assertTrue(CodecSamples.squaredNorm(sent) > 0);
    assertThrows(MalformedEncodingException.class, () -> staleness.divide(1, 5, decoder, sent));
  }
}
