package mpjbuf;

/** A message with its sections. */
public class Buffer {
  /** Not a constant of the compiler, so that the value of the real class counts. */
  public static final int SECTION_OVERHEAD = Integer.parseInt("8");

  public Buffer(RawBuffer memory, int offset, int capacity) {
    throw new UnsupportedOperationException();
  }

  public int getSize() {
    throw new UnsupportedOperationException();
  }

  public void setSize(int size) {
    throw new UnsupportedOperationException();
  }
}
