package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.file.Closing;
import io.github.amb.core.file.SharedPlace;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads another rank's {@link SharedSegment}. Used by the receiving thread. */
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
   * Opens the segment of a rank that may be on another host.
   *
   * @param directory directory of segments on this host, or null
   * @param pid process of the other rank
   * @param id number of the segment
   * @param capacity number of floats in a slot
   * @return null if it is not this user's, or cannot be opened here
   */
  static SegmentReader open(Path directory, long pid, long id, int capacity) {
    Path file = directory == null ? null : SharedSegment.file(directory, HostIdentity.OWN, pid, id);
    if (file == null || !SharedPlace.isOwn(file)) {
      return null;
    }
    FileChannel channel = null;
    SegmentReader reader = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      reader = channel.size() < SlotCounters.BYTES ? null : new SegmentReader(channel, capacity);
    } catch (IOException e) {
      // An unreadable segment is treated like a missing one.
    }
    if (reader == null) {
      Closing.quietly(channel);
    }
    return reader;
  }

  /**
   * The payload in a slot; {@linkplain Message.Loan#end end} it once.
   *
   * @param slot index of the slot
   * @param length number of floats
   * @param from rank that wrote it, for the message
   * @throws MalformedMessageException if the file does not have that slot
   */
  Message.Loan loan(int slot, int length, int from) {
    try {
      long end = SlotCounters.offset(slot + 1, capacity);
      if (length > capacity || end > channel.size()) {
        throw new MalformedMessageException(
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

  /** Closes the file; mapped memory stays until its last use. */
  void close() {
    Closing.quietly(channel);
  }

  private final class Slot implements Message.Loan {
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
