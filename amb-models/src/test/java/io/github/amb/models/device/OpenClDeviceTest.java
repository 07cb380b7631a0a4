package io.github.amb.models.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.FloatBuffer;
import java.util.List;
import org.bytedeco.opencl.global.OpenCL;
import org.junit.jupiter.api.Test;

class OpenClDeviceTest {
  private static OpenClDevice open() {
    List<OpenClDevices.Found> found;
    try {
      found = OpenClDevices.list();
    } catch (DeviceException e) {
      abort(e.getMessage());
      return null;
    }
    return new OpenClDevice(found.get(0));
  }

  @Test
  void aProductOfPartsOfABufferIsExact() {
    // c = a b with a = [[1, 2], [3, 4]] at 1, b = [[5, 6], [7, 8]] at 5, c at 9, of 16 entries.
    float[] all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 9, 9, 9};
    try (OpenClDevice device = open();
        Device.Buffer buffer = device.allocate(all.length)) {
      var start = new Device.Array(buffer, 0);
      device.write(FloatBuffer.wrap(all), start, all.length);
      Object[] arguments = {
        start.at(1),
        start.at(5),
        start.at(9),
        2,
        2,
        2,
        1,
        1,
        2,
        1,
        0,
        0,
        0,
        2,
        1,
        0,
        0,
        0,
        2,
        0,
        0,
        1f,
        0f
      };
      try (Device.Call call = device.prepare("product", 1, arguments)) {
        call.run();
        call.run();
      }
      float[] found = new float[all.length];
      device.read(start, FloatBuffer.wrap(found), all.length);
      float[] expected = {0, 1, 2, 3, 4, 5, 6, 7, 8, 19, 22, 43, 50, 9, 9, 9};
      assertArrayEquals(expected, found);
    }
  }

  @Test
  void tooLargeABufferIsRejectedWithItsSize() {
    try (OpenClDevice device = open()) {
      var error = assertThrows(DeviceException.class, () -> device.allocate(1L << 50));
      assertTrue(error.getMessage().contains("allocate 4294967297 MiB"), error.getMessage());
    }
  }

  @Test
  void aLostDeviceIsOneLine() {
    String what = "finish";
    var error =
        assertThrows(
            DeviceException.class, () -> OpenClDevice.check(OpenCL.CL_DEVICE_NOT_AVAILABLE, what));
    assertEquals(1, error.getMessage().lines().count());
    assertTrue(error.getMessage().contains("expected the device to finish"), error.getMessage());
  }
}
