package io.github.amb.core.codec;

import io.github.amb.core.state.StateVisitor;

/** A block codec around another one, which keeps what the other one did not send. */
abstract class Remembering implements BlockCodec {
  private final BlockCodec codec;
  private final ByteSource echo = new ByteSource();

  Remembering(BlockCodec codec) {
    this.codec = codec;
  }

  /**
   * Encodes {@code values} from their start on, and decodes what was sent.
   *
   * @param sent receives what the receiver will decode
   */
  final void send(float[] values, Draws draws, ByteSink out, float[] sent) {
    int start = out.length();
    codec.encode(values, 0, draws, out);
    echo.wrap(out.bytes(), start, out.length());
    codec.decode(echo, draws, sent, 0);
  }

  @Override
  public final void decode(ByteSource in, Draws draws, float[] values, int from) {
    codec.decode(in, draws, values, from);
  }

  @Override
  public void visit(StateVisitor state) {
    codec.visit(state);
  }
}
