package io.github.amb.models.device;

import static org.bytedeco.opencl.global.OpenCL.*;

import io.github.amb.models.dl4j.Dl4jSetup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.opencl._cl_device_id;
import org.bytedeco.opencl._cl_platform_id;
import org.bytedeco.opencl.global.OpenCL;

/** The devices of this host that have an OpenCL driver. */
public final class OpenClDevices {
  /** What {@code clGetPlatformIDs} answers without a driver. */
  private static final int NO_PLATFORM = -1001;

  private static final int MAX_TEXT = 1024;

  private OpenClDevices() {}

  /**
   * A device.
   *
   * @param name its name, by its driver
   * @param driver name and version of its driver
   * @param gpu whether it is a GPU, and not a processor or an accelerator
   * @param bytes its memory
   */
  public record Found(String name, String driver, boolean gpu, long bytes, _cl_device_id id) {
    @Override
    public String toString() {
      return name + " (" + driver + ")";
    }
  }

  /**
   * All devices, GPUs first.
   *
   * @throws DeviceException if there is no driver
   */
  public static List<Found> list() {
    load();
    try (IntPointer count = new IntPointer(1)) {
      count.put(0);
      int status = clGetPlatformIDs(0, (PointerPointer<?>) null, count);
      if (status != NO_PLATFORM) {
        OpenClDevice.check(status, "list the drivers");
      }
      List<Found> found = new ArrayList<>();
      try (PointerPointer<_cl_platform_id> platforms = new PointerPointer<>(1L + count.get())) {
        if (count.get() > 0) {
          clGetPlatformIDs(count.get(), platforms, (IntPointer) null);
        }
        for (int i = 0; i < count.get(); i++) {
          addDevices(new _cl_platform_id(platforms.get(i)), found);
        }
      }
      if (found.isEmpty()) {
        throw new DeviceException(
            "expected a device with an OpenCL driver, found none; install the vendor's, or"
                + " pocl-opencl-icd for the processor (docs/how-to/use-gpus.md)");
      }
      found.sort(Comparator.comparing(device -> !device.gpu));
      return found;
    }
  }

  private static void load() {
    Dl4jSetup.ensure();
    try {
      Loader.load(OpenCL.class);
    } catch (LinkageError e) {
      throw new DeviceException(
          "expected OpenCL's loader on the library path, found no libOpenCL.so.1; install"
              + " ocl-icd-libopencl1 and the device's driver (docs/how-to/use-gpus.md)");
    }
  }

  private static void addDevices(_cl_platform_id platform, List<Found> found) {
    try (IntPointer count = new IntPointer(1)) {
      count.put(0);
      // A platform without devices answers with an error.
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, (PointerPointer<?>) null, count);
      try (PointerPointer<_cl_device_id> devices = new PointerPointer<>(1L + count.get())) {
        if (count.get() > 0) {
          clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count.get(), devices, (IntPointer) null);
        }
        for (int i = 0; i < count.get(); i++) {
          found.add(describe(new _cl_device_id(devices.get(i))));
        }
      }
    }
  }

  private static Found describe(_cl_device_id id) {
    return new Found(
        text(id, CL_DEVICE_NAME),
        text(id, CL_DEVICE_VERSION) + ", driver " + text(id, CL_DRIVER_VERSION),
        (number(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0,
        number(id, CL_DEVICE_GLOBAL_MEM_SIZE),
        id);
  }

  private static String text(_cl_device_id id, int what) {
    try (BytePointer text = new BytePointer(MAX_TEXT);
        SizeTPointer length = new SizeTPointer(1)) {
      OpenClDevice.check(clGetDeviceInfo(id, what, MAX_TEXT, text, length), "describe a device");
      return text.limit(Math.max(0, length.get() - 1)).getString().strip();
    }
  }

  /** A property of 8 bytes. */
  static long number(_cl_device_id id, int what) {
    try (LongPointer number = new LongPointer(1)) {
      int status = clGetDeviceInfo(id, what, Long.BYTES, number, (SizeTPointer) null);
      OpenClDevice.check(status, "describe a device");
      return number.get();
    }
  }
}
