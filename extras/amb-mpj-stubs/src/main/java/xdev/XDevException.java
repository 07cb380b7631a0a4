package xdev;

/** A failed call of a device. */
public class XDevException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public XDevException(String message) {
    super(message);
  }
}
