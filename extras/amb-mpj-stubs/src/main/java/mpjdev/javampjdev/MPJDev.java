package mpjdev.javampjdev;

import xdev.Device;

/** The layer above the devices in Java. */
public class MPJDev {
  public static Device dev;

  protected MPJDev() {}
}
