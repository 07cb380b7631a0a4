package mpjdev;

import xdev.Device;

/** The layer above the devices. */
public class MPJDev {
  public static Device dev;

  protected MPJDev() {}
}
