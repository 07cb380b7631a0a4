package io.github.amb.core.topology;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.link.PackedBytes;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes the slices of a worker's gradients, each for the worker that adds it up, and decodes the
 * slices that this worker adds up. What a codec keeps between messages is kept per slice. It begins
 * anew where the number of workers is another one.
 */
final class SliceCodecs implements Checkpointed {
  /** Direction of the messages and name of the state, as in the star. */
  static final String LINK = "uplink";

  private static final String COUNT = "slices";

  private final Layout layout;
  private final Slices slices;
  private final Coding coding;
  private final Clock clock;
  private final int rank;
  private final VectorEncoder[] encoders;
  private final int[] bytes; // of the slices encoded last
  private final int entries;
  private final VectorDecoder decoder;
  private final int ownEntries;
  private final PackedBytes packed = new PackedBytes();
  private float[] slice = {};

  /**
   * @param layout of whole gradients
   * @param workers number of slices
   * @param coding of each slice
   * @param streams the run's random streams
   * @param clock charged for encoding and decoding
   * @param rank this worker
   */
  SliceCodecs(Layout layout, int workers, Coding coding, Streams streams, Clock clock, int rank) {
    this.layout = layout;
    this.coding = coding;
    this.clock = clock;
    this.rank = rank;
    slices = new Slices(layout.size(), workers);
    encoders = new VectorEncoder[workers];
    bytes = new int[workers];
    int all = 0;
    for (int owner = 1; owner <= workers; owner++) {
      Layout part = part(layout, slices.begin(owner), slices.begin(owner + 1));
      encoders[owner - 1] = new VectorEncoder(part, coding, streams, LINK, rank);
      all += coding.encodedEntries(part);
    }
    entries = all;
    Layout own = part(layout, slices.begin(rank), slices.begin(rank + 1));
    decoder = new VectorDecoder(own, coding, streams, LINK);
    ownEntries = coding.encodedEntries(own);
  }

  /**
   * The layout of the entries {@code from} to {@code to}. A part of a block is a block of one
   * dimension, whose name has the index of its first entry.
   */
  static Layout part(Layout whole, int from, int to) {
    List<Block> blocks = new ArrayList<>();
    for (Block block : whole.blocks()) {
      int begin = Math.max(from, block.offset());
      int length = Math.min(to, block.end()) - begin;
      if (length > 0 && length == block.length()) {
        blocks.add(new Block(block.name(), block.kind(), begin - from, block.shape()));
      } else if (length > 0) {
        String name = block.name() + "-" + (begin - block.offset());
        blocks.add(new Block(name, block.kind(), begin - from, length));
      }
    }
    return new Layout(blocks);
  }

  /** Whether slices of this step are encoded. */
  boolean encodes(long step) {
    return step > coding.denseSteps();
  }

  /**
   * Encodes all slices of a gradient. Of one without examples, nothing is sent, and the codecs need
   * not remember it.
   *
   * @throws NonFiniteGradientException if an entry is infinite or not a number, or would be so in
   *     the encoding
   */
  void encode(Message gradient) {
    long step = gradient.step();
    for (int owner = 1; owner <= bytes.length; owner++) {
      bytes[owner - 1] = 0;
      if (gradient.examples() > 0) {
        int length = slices.length(owner);
        slice = slice.length < length ? new float[length] : slice;
        gradient.payload().get(slices.begin(owner), slice, 0, length);
        try {
          bytes[owner - 1] = encoders[owner - 1].encode(slice, step);
        } catch (NonFiniteGradientException e) {
          throw placed(e, gradient.values())
              .of(gradient.asResult().firstExample(), gradient.examples())
              .at(rank, step);
        }
      }
    }
    clock.charge(Work.ENCODING, gradient.examples() > 0 ? entries : 0);
  }

  /** The failure with the first entry of the whole gradient that is not finite, if there is one. */
  private NonFiniteGradientException placed(NonFiniteGradientException e, float[] gradient) {
    int bad = Finite.firstBad(gradient, 0, layout.size());
    if (bad < 0) {
      return e;
    }
    Block block = layout.blockAt(bad);
    int index = bad - block.offset();
    return new NonFiniteGradientException(rank, block.name(), index, gradient[bad]);
  }

  /** Floats of a message with the slice that was encoded last for a worker. */
  int floats(int owner) {
    return PackedBytes.floats(bytes[owner - 1]);
  }

  /** Copies the slice that was encoded last for a worker to a message; returns the message. */
  Message pack(int owner, Message into) {
    return packed
        .pack(encoders[owner - 1].message(), bytes[owner - 1], into)
        .count(slices.length());
  }

  /**
   * Decodes a slice of a worker's gradient for this worker.
   *
   * @param addend not modified
   * @param into receives the slice, with the numbers of the message
   * @throws MalformedMessageException if it is not a slice of this coding and layout
   */
  void decode(Message addend, Message into) {
    into.resetLike(addend);
    int length = slices.length(rank);
    float[] values = into.ensureCapacity(length);
    if (addend.length() == 0) {
      Arrays.fill(values, 0, length, 0);
      return;
    }
    try {
      decoder.decode(packed.unpack(addend), addend.length() * Float.BYTES, addend.step(), values);
    } catch (MalformedEncodingException e) {
      throw new MalformedMessageException(
          addend.source(),
          "%s of step %d: %s".formatted(addend.kind(), addend.step(), e.getMessage()),
          e);
    }
    clock.charge(Work.DECODING, ownEntries);
  }

  @Override
  public void visit(StateVisitor state) {
    boolean same = state.has(COUNT) && state.integer(COUNT, encoders.length) == encoders.length;
    for (int owner = 1; same && owner <= encoders.length; owner++) {
      encoders[owner - 1].visit(new NamedState(owner + ".", state));
    }
  }
}
