package mpjdev;

import xdev.XDevException;

/** A failed call of the layer above the devices. */
public class MPJDevException extends XDevException {
  public MPJDevException(String message) {
    super(message);
  }
}
