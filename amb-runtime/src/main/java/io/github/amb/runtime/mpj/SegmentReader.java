package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.MalformedFrameException;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another rank's {@link SharedSegment}, to read from. Used by the receiving thread. */
final class SegmentReader {
  private final FileChannel channel;
  private final SlotCounters counters;
  private final int capacity;
  private final Slot[] slots = new Slot[SlotCounters.SLOTS];

  private SegmentReader(FileChannel channel, int capacity) throws IOException {
    this.channel = channel;
    this.capacity = capacity;
    counters = new SlotCounters(channel);
  }

  /**
   * Opens the shelf of a rank that may be on another host.
   *
   * @param directory of shelves on this host, or null
   * @param capacity floats in a slot
   * @return null if it is not to be found here
   */
  static SegmentReader open(Path directory, long pid, long id, int capacity) {
    if (directory == null) {
      return null;
    }
    FileChannel channel = null;
    SegmentReader reader = null;
    try {
      channel =
          FileChannel.open(
              SharedSegment.file(directory, HostIdentity.OWN, pid, id),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      reader = channel.size() < SlotCounters.BYTES ? null : new SegmentReader(channel, capacity);
    } catch (IOException e) {
      // Nor is it if it cannot be read.
    }
    if (reader == null) {
      close(channel);
    }
    return reader;
  }

  /**
   * The payload in a slot; to be {@linkplain Frame.Loan#end ended} once.
   *
   * @param length floats that must be there
   * @param from rank that placed it, for the message
   * @throws MalformedFrameException if the file does not have that slot
   */
  Frame.Loan loan(int slot, int length, int from) {
    try {
      long end = SlotCounters.offset(slot + 1, capacity);
      if (length > capacity || end > channel.size()) {
        throw new MalformedFrameException(
            from,
            "expected a slot of at most %d bytes, found slot %d, %d floats"
                .formatted(channel.size(), slot, length));
      }
      if (slots[slot] == null) {
        slots[slot] = new Slot(slot);
      }
      return slots[slot];
    } catch (IOException e) {
      throw new EngineException(
          "cannot read the shared-memory segment of rank %d: %s".formatted(from, e.getMessage()),
          e);
    }
  }

  /** Closes the file; what is mapped stays until it is not used any more. */
  void close() {
    close(channel);
  }

  private static void close(FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Nothing is lost with it.
    }
  }

  private final class Slot implements Frame.Loan {
    private final int number;
    private final FloatBuffer floats;

    Slot(int number) throws IOException {
      this.number = number;
      floats =
          SlotCounters.map(channel, SlotCounters.offset(number, capacity), capacity)
              .asFloatBuffer();
    }

    @Override
    public FloatBuffer floats() {
      return floats;
    }

    @Override
    public void end() {
      counters.countDown(number);
    }
  }
}
