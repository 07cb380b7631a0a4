package xdev;

/** A failed call of a device. */
public class XDevException extends RuntimeException {
  public XDevException(String message) {
    super(message);
  }
}
