package xdev.hybdev;

import xdev.Device;

/** The device that joins shared memory and sockets. */
public class HYBDevice implements Device {
  public static Device nioHybDev;

  protected HYBDevice() {}
}
