package mpjbuf;

/** The pool of memory for messages. */
public abstract class BufferFactory {
  protected BufferFactory() {}

  public static RawBuffer create(int size) {
    throw new UnsupportedOperationException();
  }

  public static void destroy(RawBuffer buffer) {
    throw new UnsupportedOperationException();
  }
}
