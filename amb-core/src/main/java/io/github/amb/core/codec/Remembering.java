package io.github.amb.core.codec;

import io.github.amb.core.state.StateVisitor;

/** A block codec around another one, which keeps what the other one did not send. */
abstract class Remembering implements BlockCodec {
  /** What is to be sent, less what has been. */
  final float[] rest;

  private final BlockCodec codec;
  private final String name;
  private final float[] sent;
  private final ByteSource echo = new ByteSource();

  /**
   * @param name of what is kept, in checkpoints
   */
  Remembering(BlockCodec codec, int length, String name) {
    this.codec = codec;
    this.name = name;
    rest = new float[length];
    sent = new float[length];
  }

  /**
   * Encodes the rest and takes out of it what the receiver will decode.
   *
   * @return what the receiver will decode; not a copy
   */
  final float[] send(CodecRandom draws, ByteSink out) {
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
    state.floats(name, rest);
  }
}
