package io.github.amb.plots.export;

import io.github.amb.plots.OutputFile;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * TensorBoard's event file: TFRecords of {@code tensorflow.Event} messages. A record is the length
 * of its data (64 bits), that length's checksum, the data, and its checksum (32 bits each), all
 * little-endian. A checksum is a CRC-32C, rotated right by 15 bits, plus 0xa282ead8.
 */
final class EventFile implements AutoCloseable {
  private static final int MASK = 0xa282ead8;

  /** Field numbers and wire types of tensorflow/core/util/event.proto and summary.proto. */
  private static final int WALL_TIME = tag(1, 1);

  private static final int STEP = tag(2, 0);
  private static final int FILE_VERSION = tag(3, 2);
  private static final int SUMMARY = tag(5, 2);
  private static final int VALUE = tag(1, 2);
  private static final int NAME = tag(1, 2);
  private static final int SIMPLE_VALUE = tag(2, 5);

  private final OutputStream out;

  /**
   * Creates a file.
   *
   * @param wallTime time of the first event, seconds since 1970
   */
  EventFile(Path file, double wallTime) throws IOException {
    out = new BufferedOutputStream(OutputFile.create(file));
    Message version = new Message();
    version.real(WALL_TIME, wallTime);
    version.bytes(FILE_VERSION, "brain.Event:2".getBytes(StandardCharsets.UTF_8));
    record(version.toByteArray());
  }

  private static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /** Appends one number; NaN is ignored. */
  void scalar(String name, long step, double wallTime, double number) throws IOException {
    if (Double.isNaN(number)) {
      return;
    }
    Message value = new Message();
    value.bytes(NAME, name.getBytes(StandardCharsets.UTF_8));
    value.single(SIMPLE_VALUE, (float) number);
    Message summary = new Message();
    summary.bytes(VALUE, value.toByteArray());
    Message event = new Message();
    event.real(WALL_TIME, wallTime);
    event.integer(STEP, step);
    event.bytes(SUMMARY, summary.toByteArray());
    record(event.toByteArray());
  }

  private void record(byte[] data) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(data.length + 2 * Integer.BYTES + Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    frame.putLong(data.length);
    frame.putInt(checksum(frame.array(), Long.BYTES));
    frame.put(data);
    frame.putInt(checksum(data, data.length));
    out.write(frame.array());
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** Fields in Protocol Buffers' wire format. */
  private static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(bytes);

    void real(int tag, double value) throws IOException {
      data.writeByte(tag);
      data.writeLong(Long.reverseBytes(Double.doubleToLongBits(value)));
    }

    void single(int tag, float value) throws IOException {
      data.writeByte(tag);
      data.writeInt(Integer.reverseBytes(Float.floatToIntBits(value)));
    }

    void integer(int tag, long value) throws IOException {
      data.writeByte(tag);
      varint(value);
    }

    void bytes(int tag, byte[] value) throws IOException {
      data.writeByte(tag);
      varint(value.length);
      data.write(value);
    }

    private void varint(long value) throws IOException {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        data.writeByte((int) (rest & 0x7F | 0x80));
        rest >>>= 7;
      }
      data.writeByte((int) rest);
    }

    byte[] toByteArray() {
      return bytes.toByteArray();
    }
  }
}
