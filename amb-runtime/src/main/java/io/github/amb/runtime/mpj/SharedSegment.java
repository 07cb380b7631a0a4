package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rank's payloads in memory that other ranks on the same host can read, so that these need not go
 * through a socket: a file in a file system that is memory, cut into slots of equal size.
 *
 * <p>A slot belongs to the rank that made it until it is placed there, then to its readers until
 * the last one has counted it down ({@link SlotCounters}). The file loses its name as soon as all
 * readers have opened it, so that nothing stays behind whichever rank is killed.
 */
final class SharedSegment {
  /** System property: the file system that is memory, or nothing to use sockets alone. */
  static final String PROPERTY = "amb.mpj.shared";

  private static final String DEFAULT = "/dev/shm";
  private static final String NAME = "amb-%d-%016x-%s";
  private static final Pattern MAKER = Pattern.compile("amb-(\\d{1,18})-.*");
  private static final int ZEROS = 1 << 16;

  private final Path file;
  private final long id;
  private final FileChannel channel;
  private final SlotCounters counters;
  private final int capacity;
  private final Slot[] slots = new Slot[SlotCounters.SLOTS];
  private int made;
  private boolean full;
  private boolean named = true;

  private SharedSegment(Path file, long id, FileChannel channel, int capacity) throws IOException {
    this.file = file;
    this.id = id;
    this.channel = channel;
    this.capacity = capacity;
    extend(SlotCounters.BYTES);
    counters = new SlotCounters(channel);
  }

  /** Where shelves are, or null for sockets alone. */
  static Path directory() {
    String named = System.getProperty(PROPERTY, DEFAULT);
    return named.isBlank() || !Files.isWritable(Path.of(named)) ? null : Path.of(named);
  }

  /**
   * The file of the shelf {@code id} of process {@code pid}. Its name says which host it is for, so
   * that ranks find it on no other, even if the machine and its memory are the same.
   */
  static Path file(Path directory, String host, long pid, long id) {
    return directory.resolve(String.format(Locale.ROOT, NAME, pid, id, host));
  }

  /**
   * An empty shelf, readable and writable by this user alone.
   *
   * @param capacity floats in a slot
   * @throws IOException if the file cannot be made
   */
  static SharedSegment create(Path directory, int capacity) throws IOException {
    return create(directory, HostIdentity.OWN, capacity);
  }

  /** The same, for another host. */
  static SharedSegment create(Path directory, String host, int capacity) throws IOException {
    sweep(directory);
    long id = new SecureRandom().nextLong();
    Path file = file(directory, host, ProcessHandle.current().pid(), id);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      return new SharedSegment(file, id, channel, capacity);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      channel.close();
      throw e;
    }
  }

  /** Deletes what processes left that were killed before their readers had opened it. */
  private static void sweep(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "amb-*-*")) {
      for (Path file : files) {
        Matcher name = MAKER.matcher(file.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          delete(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It stays, if it is another user's, until a shelf of that user's sweeps it away.
    }
  }

  /** With the process id, what readers find the file by. */
  long id() {
    return id;
  }

  /** Floats in a slot. */
  int capacity() {
    return capacity;
  }

  /**
   * A free slot for a payload to be written to.
   *
   * @return null if none is free or the payload too long
   */
  Frame.Loan lend(int length) {
    int slot = length <= capacity ? free() : ChunkHeader.NO_SLOT;
    if (slot == ChunkHeader.NO_SLOT) {
      return null;
    }
    slots[slot].lent = true;
    return slots[slot];
  }

  /**
   * Hands a frame's payload over to its readers, in the slot where it is, or copied to a free one.
   *
   * @param readers how many ranks will read it
   * @return the slot, or {@link ChunkHeader#NO_SLOT} if none is free or the payload is too long
   */
  int place(Frame frame, int readers) {
    if (owns(frame)) {
      int slot = ((Slot) frame.loan()).number;
      counters.set(slot, readers);
      return slot;
    }
    int slot = frame.length() <= capacity ? free() : ChunkHeader.NO_SLOT;
    if (slot != ChunkHeader.NO_SLOT) {
      slots[slot].floats.put(0, frame.payload(), 0, frame.length());
      counters.set(slot, readers);
    }
    return slot;
  }

  /** Whether a frame's payload is in one of the slots. */
  boolean owns(Frame frame) {
    return frame.loan() instanceof Slot slot && slot.shelf() == this;
  }

  /** Counts a reader out that will never come. */
  void withdraw(int slot) {
    counters.countDown(slot);
  }

  private int free() {
    for (int slot = 0; slot < made; slot++) {
      if (!slots[slot].lent && counters.isFree(slot)) {
        return slot;
      }
    }
    return make() ? made - 1 : ChunkHeader.NO_SLOT;
  }

  private boolean make() {
    if (full || made == slots.length) {
      return false;
    }
    try {
      long offset = SlotCounters.offset(made, capacity);
      extend(SlotCounters.offset(made + 1, capacity));
      slots[made] = new Slot(made, SlotCounters.map(channel, offset, capacity).asFloatBuffer());
      made++;
      return true;
    } catch (IOException e) {
      full = true;
      return false;
    }
  }

  /** Writes zeros, as memory that is mapped but not there ends the process that touches it. */
  private void extend(long end) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    long at = channel.size();
    while (at < end) {
      zeros.clear().limit((int) Math.min(ZEROS, end - at));
      at += channel.write(zeros, at);
    }
  }

  /** Takes the file's name away; readers that have opened it keep it. */
  void hide() {
    if (named) {
      named = false;
      delete(file);
    }
  }

  /** Gives everything back. */
  void close() {
    hide();
    Arrays.fill(slots, null);
    made = 0;
    full = true;
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is lost with it.
    }
  }

  /** A slot as the rank sees it that writes to it. */
  private final class Slot implements Frame.Loan {
    private final int number;
    private final FloatBuffer floats;
    private boolean lent;

    Slot(int number, FloatBuffer floats) {
      this.number = number;
      this.floats = floats;
    }

    SharedSegment shelf() {
      return SharedSegment.this;
    }

    @Override
    public FloatBuffer floats() {
      return floats;
    }

    @Override
    public void end() {
      lent = false;
    }
  }
}
