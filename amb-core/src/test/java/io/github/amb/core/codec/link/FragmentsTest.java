package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fragments of vectors, and messages that have some of them. */
class FragmentsTest {
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("a", Block.Kind.WEIGHT, 0, 10, 30),
              new Block("b", Block.Kind.BIAS, 300, 300),
              new Block("c", Block.Kind.WEIGHT, 600, 300),
              new Block("d", Block.Kind.BIAS, 900, 300)));

  private static int[] ofBlocks(int most) {
    Fragments fragments = new Fragments(LAYOUT, most);
    return new int[] {
      fragments.ofBlock(0), fragments.ofBlock(1), fragments.ofBlock(2), fragments.ofBlock(3)
    };
  }

  @Test
  void blocksAreSharedOutInOrder() {
    assertArrayEquals(new int[] {0, 0, 0, 0}, ofBlocks(1));
    assertArrayEquals(new int[] {0, 0, 1, 1}, ofBlocks(2));
    assertArrayEquals(new int[] {0, 1, 2, 3}, ofBlocks(4));
    assertArrayEquals(new int[] {0, 1, 2, 3}, ofBlocks(9));
    assertEquals(4, new Fragments(LAYOUT, 9).count());
  }

  /** With four fragments, those of steps 3 to 5 are the third, the fourth and the first. */
  @Test
  void turnsComeRound() {
    Fragments fragments = new Fragments(LAYOUT, 4);
    assertTrue(fragments.has(2, 3, 6));
    assertTrue(fragments.has(3, 3, 6));
    assertTrue(fragments.has(0, 3, 6));
    assertFalse(fragments.has(1, 3, 6));
    assertFalse(fragments.has(1, 3, 3));
    assertTrue(fragments.has(1, 3, 7));
    assertTrue(fragments.has(1, 0, 6));
  }

  /** A worker that has missed two sets of parameters gets the three fragments that are new. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "fp16"})
  void parametersHaveWhatIsNew(String codec) {
    Coding coding = new Codings(Coding.NONE, Codecs.parse(codec)).inFragments(4).downlink();
    String link = CodecCommunicator.DOWNLINK;
    SharedReplica master = new SharedReplica(LAYOUT, coding, CodecSamples.STREAMS, link, 0);
    Replica worker = new Replica(LAYOUT, coding, CodecSamples.STREAMS, link);
    float[] parameters = new float[LAYOUT.size()];
    int whole = send(master, worker, parameters, 1);
    Arrays.fill(parameters, 1);
    int one = send(master, worker, parameters, 2);
    float[] expected = new float[LAYOUT.size()];
    Arrays.fill(expected, 0, 300, 1);
    assertArrayEquals(expected, worker.values);
    Arrays.fill(parameters, 2);
    int three = send(master, worker, parameters, 5);
    Arrays.fill(expected, 300, 1200, 2);
    assertArrayEquals(expected, worker.values);
    assertTrue(one < three && three < whole, one + " " + three + " " + whole);
    send(master, worker, parameters, 6);
    assertArrayEquals(parameters, worker.values);
  }

  private static int send(SharedReplica master, Replica worker, float[] parameters, long step) {
    int length = master.encode(parameters, step);
    worker.advance(master.encoder().message(), length, step);
    return length;
  }

  @Test
  void changesHaveTheFragmentOfTheirStep() {
    Coding coding = Codecs.parse("none").inFragments(2);
    String link = CodecCommunicator.UPLINK;
    VectorEncoder encoder = new VectorEncoder(LAYOUT, coding, CodecSamples.STREAMS, link, 1);
    VectorDecoder decoder = new VectorDecoder(LAYOUT, coding, CodecSamples.STREAMS, link);
    float[] values = CodecSamples.laplace(LAYOUT.size(), 1);
    float[] decoded = new float[LAYOUT.size()];
    int length = encoder.encode(values, 2);
    decoder.decode(encoder.message(), length, 2, decoded);
    assertArrayEquals(
        Arrays.copyOfRange(values, 600, 1200), Arrays.copyOfRange(decoded, 600, 1200));
    assertArrayEquals(new float[600], Arrays.copyOf(decoded, 600));
  }
}
