package mpjbuf;

import java.nio.ByteBuffer;

/** Memory of a message in a {@link ByteBuffer}. */
public class NIOBuffer implements RawBuffer {
  public NIOBuffer(int capacity, ByteBuffer memory) {
    throw new UnsupportedOperationException();
  }

  public ByteBuffer getBuffer() {
    throw new UnsupportedOperationException();
  }
}
