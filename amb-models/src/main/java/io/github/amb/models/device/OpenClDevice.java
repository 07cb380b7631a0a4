package io.github.amb.models.device;

import static org.bytedeco.opencl.global.OpenCL.*;

import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.opencl.Pfn_notify_BytePointer_Pointer_long_Pointer;
import org.bytedeco.opencl.Pfn_notify__cl_program_Pointer;
import org.bytedeco.opencl._cl_command_queue;
import org.bytedeco.opencl._cl_context;
import org.bytedeco.opencl._cl_device_id;
import org.bytedeco.opencl._cl_event;
import org.bytedeco.opencl._cl_kernel;
import org.bytedeco.opencl._cl_mem;
import org.bytedeco.opencl._cl_program;

/** A device by OpenCL 1.2, with one queue, whose commands run in their order. */
public final class OpenClDevice implements Device {
  private static final int MAX_LOG = 1 << 16;
  private static final long MIB = 1 << 20;

  private final OpenClDevices.Found found;
  private final _cl_context context;
  private final _cl_command_queue queue;
  private final _cl_program program;
  private final SizeTPointer lanes = new SizeTPointer(1).put(LANES);
  private FloatPointer staging = new FloatPointer();

  /**
   * Opens a device, and compiles the kernels for it.
   *
   * @throws DeviceException if the device cannot be used
   */
  @SuppressWarnings("deprecation") // A driver of OpenCL 1.2 has no other call for a queue.
  public OpenClDevice(OpenClDevices.Found found) {
    this.found = found;
    try (IntPointer status = new IntPointer(1);
        PointerPointer<_cl_device_id> devices = new PointerPointer<>(1)) {
      devices.put(found.id());
      context =
          clCreateContext(
              (SizeTPointer) null,
              1,
              devices,
              (Pfn_notify_BytePointer_Pointer_long_Pointer) null,
              null,
              status);
      check(status.get(), "open " + found);
      queue = clCreateCommandQueue(context, found.id(), 0, status);
      check(status.get(), "make a queue");
    }
    program = compiled();
  }

  private _cl_program compiled() {
    try (IntPointer status = new IntPointer(1);
        BytePointer source = new BytePointer(Device.kernels(), StandardCharsets.UTF_8);
        PointerPointer<BytePointer> sources = new PointerPointer<>(1)) {
      sources.put(source);
      _cl_program made =
          clCreateProgramWithSource(context, 1, sources, (SizeTPointer) null, status);
      check(status.get(), "read kernels");
      String options = "-cl-std=CL1.2 -DLANES=" + LANES;
      int built =
          clBuildProgram(made, 1, found.id(), options, (Pfn_notify__cl_program_Pointer) null, null);
      if (built != CL_SUCCESS) {
        throw new DeviceException(
            "expected %s to compile the kernels, found error %d: %s",
            found, built, log(made).replaceAll("\\s+", " ").strip());
      }
      return made;
    }
  }

  private String log(_cl_program made) {
    try (BytePointer log = new BytePointer(MAX_LOG);
        SizeTPointer length = new SizeTPointer(1).put(1)) {
      clGetProgramBuildInfo(made, found.id(), CL_PROGRAM_BUILD_LOG, MAX_LOG, log, length);
      return log.limit(Math.max(0, length.get() - 1)).getString();
    }
  }

  /** Checks what a call answered. */
  static void check(int status, String what) {
    switch (status) {
      case CL_SUCCESS -> {}
      case CL_MEM_OBJECT_ALLOCATION_FAILURE,
          CL_OUT_OF_RESOURCES,
          CL_OUT_OF_HOST_MEMORY,
          CL_INVALID_BUFFER_SIZE ->
          throw new DeviceException(
              "expected enough memory on the device to %s, found too little (OpenCL error %d);"
                  + " choose a smaller batch or partition, or fewer ranks per device",
              what, status);
      default ->
          throw new DeviceException(
              "expected the device to %s, found OpenCL error %d; see its driver's log",
              what, status);
    }
  }

  @Override
  public String description() {
    return found.toString();
  }

  private record OpenClBuffer(_cl_mem memory) implements Buffer {
    @Override
    public void close() {
      clReleaseMemObject(memory);
    }
  }

  @Override
  public Buffer allocate(long words) {
    long bytes = Math.max(1, words) * Float.BYTES;
    try (IntPointer status = new IntPointer(1)) {
      String what = "allocate %d MiB on %s".formatted(1 + bytes / MIB, found);
      _cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, null, status);
      check(status.get(), what);
      return new OpenClBuffer(memory);
    }
  }

  private FloatPointer staging(int length) {
    if (staging.capacity() < length) {
      staging.close();
      staging = new FloatPointer(length);
    }
    return staging;
  }

  @Override
  public void write(FloatBuffer from, Array to, int length) {
    FloatPointer words = staging(length);
    words.asBuffer().put(0, from, 0, length);
    write(words, to, length);
  }

  @Override
  public void write(int[] from, Array to, int length) {
    try (IntPointer words = new IntPointer(length)) {
      words.put(from, 0, length);
      write(words, to, length);
    }
  }

  private void write(Pointer words, Array to, int length) {
    int status =
        clEnqueueWriteBuffer(
            queue,
            memory(to),
            CL_TRUE,
            to.offset() * Float.BYTES,
            (long) length * Float.BYTES,
            words,
            0,
            (_cl_event) null,
            null);
    check(status, "receive data");
  }

  private static _cl_mem memory(Array array) {
    return ((OpenClBuffer) array.buffer()).memory();
  }

  @Override
  public void read(Array from, FloatBuffer to, int length) {
    FloatPointer words = staging(length);
    int status =
        clEnqueueReadBuffer(
            queue,
            memory(from),
            CL_TRUE,
            from.offset() * Float.BYTES,
            (long) length * Float.BYTES,
            words,
            0,
            (_cl_event) null,
            null);
    check(status, "return results");
    to.put(0, words.asBuffer(), 0, length);
  }

  private final class OpenClCall implements Call {
    private final String name;
    private final _cl_kernel kernel;
    private final SizeTPointer items;

    OpenClCall(String name, _cl_kernel kernel, long groups) {
      this.name = name;
      this.kernel = kernel;
      items = new SizeTPointer(1).put(groups * LANES);
    }

    @Override
    public void run() {
      int status =
          clEnqueueNDRangeKernel(queue, kernel, 1, null, items, lanes, 0, (_cl_event) null, null);
      check(status, "start " + name);
    }

    @Override
    public void close() {
      clReleaseKernel(kernel);
      items.close();
    }
  }

  @Override
  public Call prepare(String name, long groups, Object... arguments) {
    try (IntPointer status = new IntPointer(1);
        LongPointer offset = new LongPointer(1);
        IntPointer integer = new IntPointer(1);
        FloatPointer real = new FloatPointer(1);
        PointerPointer<_cl_mem> buffer = new PointerPointer<>(1)) {
      _cl_kernel kernel = clCreateKernel(program, name, status);
      check(status.get(), "find kernel " + name);
      int index = 0;
      for (Object argument : arguments) {
        if (argument instanceof Array array) {
          buffer.put(memory(array));
          set(name, kernel, index++, Long.BYTES, buffer);
          set(name, kernel, index++, Long.BYTES, offset.put(array.offset()));
        } else if (argument instanceof Integer number) {
          set(name, kernel, index++, Integer.BYTES, integer.put(number));
        } else {
          set(name, kernel, index++, Float.BYTES, real.put((Float) argument));
        }
      }
      return new OpenClCall(name, kernel, groups);
    }
  }

  private static void set(String name, _cl_kernel kernel, int index, long bytes, Pointer value) {
    check(clSetKernelArg(kernel, index, bytes, value), "take argument " + index + " of " + name);
  }

  @Override
  public void finish() {
    check(clFinish(queue), "finish");
  }

  @Override
  public void close() {
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    staging.close();
    lanes.close();
  }
}
