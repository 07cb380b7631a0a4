package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;

/** A block codec that keeps the residual of another one: what the other one did not send. */
abstract class Remembering implements BlockCodec {
  /**
   * The residual: what is to be sent, minus what has been sent. One entry per entry of the block.
   */
  float[] rest;

  private float[] last; // the residual before the last message
  private final BlockCodec codec;
  private final String name;
  private final float[] sent;
  private final ByteSource echo = new ByteSource();

  /**
   * @param codec encodes the residual
   * @param length number of entries of the block
   * @param name of the residual in checkpoints
   */
  Remembering(BlockCodec codec, int length, String name) {
    this.codec = codec;
    this.name = name;
    rest = new float[length];
    last = new float[length];
    sent = new float[length];
  }

  /**
   * Begins a message: {@link #rest} becomes an array of unspecified entries. Returns what it was.
   */
  final float[] begin() {
    float[] before = rest;
    rest = last;
    last = before;
    return before;
  }

  /**
   * Encodes the residual and subtracts from it what the receiver will decode.
   *
   * @return what the receiver will decode, one entry per entry of the block; not a copy
   * @throws NonFiniteEntryException if the residual is not finite, or its encoding overflows
   */
  final float[] send(CodecRandom draws, ByteSink out) {
    if (!codec.rejectsNonFinite() && Finite.firstBad(rest, 0, rest.length) >= 0) {
      throw new NonFiniteEntryException();
    }
    int start = out.length();
    codec.encode(rest, 0, draws, out);
    echo.wrap(out.bytes(), start, out.length());
    codec.decode(echo, draws, sent, 0);
    for (int i = 0; i < rest.length; i++) {
      rest[i] -= sent[i];
    }
    return sent;
  }

  @Override
  public final void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
    codec.decode(in, draws, values, from);
  }

  @Override
  public void visit(StateVisitor state) {
    codec.visit(state);
    state.alternating(name, rest);
  }
}
