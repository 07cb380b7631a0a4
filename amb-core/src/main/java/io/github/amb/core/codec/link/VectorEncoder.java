package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.MomentumCorrection;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.DivergedException;
import io.github.amb.core.update.NonFiniteGradientException;

/** Encodes one sender's flat vectors into messages. */
public final class VectorEncoder extends VectorCoder implements Checkpointed {
  private static final String STATE = "encoder";

  private final int rank;
  private final boolean ofParameters;
  private final StateMap before = new StateMap();
  private final ByteSink body = new ByteSink();
  private final ByteSink message = new ByteSink();

  /**
   * @param layout of the vectors
   * @param coding how vectors are encoded
   * @param streams the run's random streams
   * @param link direction of the messages; each direction has random streams of its own
   * @param rank the sender
   */
  public VectorEncoder(Layout layout, Coding coding, Streams streams, String link, int rank) {
    super(layout, coding, new CodecRandom(streams, link, rank), block -> open(block, coding));
    this.rank = rank;
    ofParameters = link.equals(CodecCommunicator.DOWNLINK);
  }

  private static BlockCodec open(Block block, Coding coding) {
    if (coding.policy().encodes(block)) {
      return coding.codec().open(block.shape());
    }
    boolean trainable = block.kind() != Block.Kind.RUNNING_STATISTIC;
    return trainable && coding.codec() instanceof MomentumCorrection momentum
        ? momentum.openPlain(block.shape())
        : Plain.INSTANCE.open(block.shape());
  }

  /**
   * Encodes a vector, or the fragment of it whose turn it is in the step.
   *
   * @param values the flat vector; not modified
   * @return number of bytes of the message, which {@link #message} holds until the next call
   * @throws NonFiniteGradientException if an entry is infinite or not a number, or would be so in
   *     the encoding; then this encoder is as it was before
   * @throws DivergedException as for gradients, if the vectors are parameters
   */
  public int encode(float[] values, long step) {
    return encode(values, step, step, step + 1);
  }

  /**
   * As {@link #encode(float[], long)}, of the fragments whose turn it is in some steps.
   *
   * @param from the first of these steps; 0 for the whole vector
   * @param to the step after the last one
   */
  int encode(float[] values, long step, long from, long to) {
    before.keep(STATE, this);
    try {
      return encodeAll(values, step, from, to);
    } catch (DivergedException e) {
      before.restore(STATE, this);
      throw e;
    }
  }

  private int encodeAll(float[] values, long step, long from, long to) {
    draws.message(step);
    body.clear();
    for (int i = 0; i < blocks.length; i++) {
      if (fragments.has(i, from, to)) {
        encode(blocks[i], codecs[i], values, step);
      }
    }
    message.clear();
    message.skip(MessageHeader.BYTES);
    stage.pack(body, message);
    header.write(message.bytes(), message.length(), body.length());
    return message.length();
  }

  private void encode(Block block, BlockCodec codec, float[] values, long step) {
    if (!codec.rejectsNonFinite()) {
      expectFinite(block, values, step);
    }
    draws.block(block.name());
    try {
      codec.encode(values, block.offset(), draws, body);
    } catch (NonFiniteEntryException e) {
      expectFinite(block, values, step);
      throw diverged(NonFiniteGradientException.ofEncoding(rank, block.name()), step);
    }
  }

  private void expectFinite(Block block, float[] values, long step) {
    int bad = Finite.firstBad(values, block.offset(), block.end());
    if (bad >= 0) {
      int index = bad - block.offset();
      throw diverged(new NonFiniteGradientException(rank, block.name(), index, values[bad]), step);
    }
  }

  private DivergedException diverged(NonFiniteGradientException e, long step) {
    return ofParameters
        ? new DivergedException(
            "step %d: difference of parameters, %s".formatted(step, e.found()), false)
        : e.at(rank, step);
  }

  /** The last message. Not a copy. */
  public byte[] message() {
    return message.bytes();
  }

  /** Visits the state that is kept between messages: that of draws, then residuals and so on. */
  @Override
  public void visit(StateVisitor state) {
    draws.visit(new NamedState("message.", state));
    for (int i = 0; i < blocks.length; i++) {
      codecs[i].visit(new NamedState(blocks[i].name() + ".", state));
    }
  }
}
