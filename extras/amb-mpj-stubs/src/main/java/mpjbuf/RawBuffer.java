package mpjbuf;

/** Memory of a message. */
public interface RawBuffer {}
