package io.github.amb.runtime.mpj;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.engine.Message;
import io.github.amb.core.file.Closing;
import io.github.amb.core.file.SharedPlace;
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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shared-memory segment: payloads of one rank that other ranks on the same host read without a
 * socket. It is a file in a file system in memory, divided into slots of equal size.
 *
 * <p>A slot belongs to the rank that made it until it is handed over, then to its readers until the
 * last one has counted it down ({@link SlotCounters}). The file's name is removed when all readers
 * have opened it, so that nothing is left behind whichever rank is killed.
 */
final class SharedSegment {
  /** System property: the file system in memory; empty to use sockets alone. */
  static final String PROPERTY = "amb.mpj.shared";

  private static final String DEFAULT = "/dev/shm";
  private static final String NAME = "amb-%d-%016x-%s";
  private static final Pattern MAKER = Pattern.compile("amb-(\\d{1,18})-.*");
  private static final int ZEROS = 1 << 16;

  private final Path file;

  /** Number by which readers, together with the process id, find the file. */
  final long id;

  private final FileChannel channel;
  private final SlotCounters counters;

  /** Number of floats in a slot. */
  final int capacity;

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

  /** The directory of segments, or null to use sockets alone. */
  static Path directory() {
    String named = System.getProperty(PROPERTY, DEFAULT);
    return named.isBlank() || !Files.isWritable(Path.of(named)) ? null : Path.of(named);
  }

  /**
   * The file of segment {@code id} of process {@code pid}. Its name includes the host, so that
   * ranks of another host on the same machine do not find it.
   */
  static Path file(Path directory, String host, long pid, long id) {
    return directory.resolve(format(NAME, pid, id, host));
  }

  /**
   * Creates an empty segment, readable and writable by this user alone.
   *
   * @param directory directory of segments
   * @param capacity number of floats in a slot
   * @throws IOException if the file cannot be created
   */
  static SharedSegment create(Path directory, int capacity) throws IOException {
    return create(directory, HostIdentity.OWN, capacity);
  }

  /**
   * Creates an empty segment for another host, for tests.
   *
   * @param directory directory of segments
   * @param host identity of the host
   * @param capacity number of floats in a slot
   * @throws IOException if the file cannot be created
   */
  static SharedSegment create(Path directory, String host, int capacity) throws IOException {
    sweep(directory, host);
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

  /**
   * Deletes this user's segments of processes of a host that were killed before their readers had
   * opened them.
   */
  private static void sweep(Path directory, String host) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "amb-*-" + host)) {
      for (Path file : files) {
        Matcher name = MAKER.matcher(file.getFileName().toString());
        if (name.matches()
            && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
            && SharedPlace.isOwn(file)) {
          delete(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void delete(Path file) {
    // A file that stays is removed when the next segment is created here.
    Closing.quietly(() -> Files.deleteIfExists(file));
  }

  /**
   * A free slot to write a payload to.
   *
   * @param length number of floats
   * @return null if no slot is free or the payload is too long
   */
  Message.Loan lend(int length) {
    int slot = length <= capacity ? free() : ChunkHeader.NO_SLOT;
    if (slot == ChunkHeader.NO_SLOT) {
      return null;
    }
    slots[slot].lent = true;
    return slots[slot];
  }

  /**
   * Hands a message's payload to its readers, from the slot it is in, or copied to a free one.
   *
   * @param message the message
   * @param readers number of ranks that will read it
   * @return the slot, or {@link ChunkHeader#NO_SLOT} if no slot is free or the payload is too long
   */
  int place(Message message, int readers) {
    if (owns(message)) {
      int slot = ((Slot) message.loan()).number;
      counters.set(slot, readers);
      return slot;
    }
    int slot = message.length() <= capacity ? free() : ChunkHeader.NO_SLOT;
    if (slot != ChunkHeader.NO_SLOT) {
      slots[slot].floats.put(0, message.payload(), 0, message.length());
      counters.set(slot, readers);
    }
    return slot;
  }

  /** Whether a message's payload is in one of the slots. */
  boolean owns(Message message) {
    return message.loan() instanceof Slot slot && slot.segment() == this;
  }

  /** Removes one reader of a slot, which will not read it. */
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

  /**
   * Extends the file with zeros; touching mapped memory that the file does not have would end the
   * process.
   */
  private void extend(long end) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    long at = channel.size();
    while (at < end) {
      zeros.clear().limit((int) Math.min(ZEROS, end - at));
      at += channel.write(zeros, at);
    }
  }

  /** Removes the file's name; readers that have opened the file keep it. */
  void hide() {
    if (named) {
      named = false;
      delete(file);
    }
  }

  /** Frees the segment. */
  void close() {
    hide();
    Arrays.fill(slots, null);
    made = 0;
    full = true;
    Closing.quietly(channel);
  }

  /** A slot as seen by the rank that writes to it. */
  private final class Slot implements Message.Loan {
    private final int number;
    private final FloatBuffer floats;
    private boolean lent;

    Slot(int number, FloatBuffer floats) {
      this.number = number;
      this.floats = floats;
    }

    SharedSegment segment() {
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
