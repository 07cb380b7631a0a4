package mpjdev;

import xdev.XDevException;

/** A failed call of the layer above the devices. */
public class MPJDevException extends XDevException {
  private static final long serialVersionUID = 1;

  public MPJDevException(String message) {
    super(message);
  }
}
