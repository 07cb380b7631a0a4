package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedSegmentTest {
  private static final int CAPACITY = 5000;
  private static final long PID = ProcessHandle.current().pid();

  @TempDir Path directory;

  private SharedSegment segment;

  @BeforeEach
  void create() throws IOException {
    segment = SharedSegment.create(directory, CAPACITY);
  }

  @AfterEach
  void close() {
    segment.close();
  }

  @Test
  void whatIsPlacedIsRead() {
    SegmentReader reader = reader();
    for (int length : new int[] {1, 4999, CAPACITY}) {
      int slot = segment.place(message(length, length), 1);
      Message.Loan loan = reader.loan(slot, length, 1);
      float[] found = new float[length];
      loan.floats().get(0, found);
      assertArrayEquals(message(length, length).values(), found);
      loan.end();
    }
  }

  /** A worker computes in the master's slot while both leave the world, in any order. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void aPayloadStaysWhileItIsRead(int seed) throws IOException {
    Random random = new Random(seed + 8 * Long.getLong("amb.test.seed", 0));
    SegmentReader reader = reader();
    List<Message.Loan> loans = new ArrayList<>();
    int count = 1 + random.nextInt(SlotCounters.SLOTS);
    for (int i = 0; i < count; i++) {
      loans.add(reader.loan(segment.place(message(CAPACITY, i), 1), CAPACITY, 1));
    }
    List<Runnable> ends = new ArrayList<>(List.of(segment::close, reader::close, System::gc));
    Collections.shuffle(ends, random);
    for (int i = 0; i < count; i++) {
      if (i < ends.size()) {
        ends.get(i).run();
      }
      float[] found = new float[CAPACITY];
      loans.get(i).floats().get(0, found);
      assertArrayEquals(message(CAPACITY, i).values(), found);
      loans.get(i).end();
    }
  }

  @Test
  void aSlotIsUsedAgainWhenItsLastReaderIsDone() {
    SegmentReader one = reader();
    SegmentReader two = reader();
    assertEquals(0, segment.place(message(10, 1), 2));
    Message.Loan first = one.loan(0, 10, 1);
    Message.Loan second = two.loan(0, 10, 1);
    assertEquals(1, segment.place(message(10, 2), 1));
    first.end();
    assertEquals(2, segment.place(message(10, 3), 1));
    assertEquals(1, second.floats().get(0));
    second.end();
    assertEquals(0, segment.place(message(10, 4), 1));
    assertEquals(4, one.loan(0, 10, 1).floats().get(0));
  }

  @Test
  void whatIsWrittenToALentSlotIsHandedOverWhereItIs() {
    Message.Loan loan = segment.lend(10);
    loan.floats().put(9, 6.5f);
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.borrow(loan, 10);
    assertTrue(segment.owns(message));
    assertEquals(1, segment.place(message(10, 2), 1));
    assertEquals(0, segment.place(message, 1));
    message.release();
    assertEquals(2, segment.place(message(10, 3), 1));
    SegmentReader reader = reader();
    Message.Loan read = reader.loan(0, 10, 1);
    assertEquals(6.5f, read.floats().get(9));
    read.end();
    assertEquals(0, segment.place(message(10, 4), 1));
  }

  @Test
  void anUnsentSlotIsFreeAfterAReset() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.borrow(segment.lend(10), 10);
    assertEquals(1, segment.place(message(10, 1), 1));
    message.reset(Message.Kind.GRADIENT, 2);
    assertEquals(0, segment.place(message(10, 1), 1));
    assertNull(segment.lend(CAPACITY + 1));
  }

  @Test
  void withdrawnReadersAreNotWaitedFor() {
    assertEquals(0, segment.place(message(10, 1), 2));
    segment.withdraw(0);
    segment.withdraw(0);
    assertEquals(0, segment.place(message(10, 1), 1));
  }

  @Test
  void aFullSegmentTakesNoPayload() {
    for (int slot = 0; slot < SlotCounters.SLOTS; slot++) {
      assertEquals(slot, segment.place(message(1, slot), 1));
    }
    assertEquals(-1, segment.place(message(1, 0), 1));
    segment.withdraw(7);
    assertEquals(-1, segment.place(message(CAPACITY + 1, 0), 1));
    assertEquals(7, segment.place(message(1, 0), 1));
  }

  @Test
  void readersKeepAHiddenSegment() throws IOException {
    SegmentReader reader = reader();
    segment.hide();
    assertTrue(isEmpty());
    for (int slot = 0; slot < 3; slot++) {
      assertEquals(slot, segment.place(message(CAPACITY, slot + 1), 1));
      assertEquals(slot + 1, reader.loan(slot, CAPACITY, 1).floats().get(CAPACITY - 1));
    }
    assertNull(SegmentReader.open(directory, PID, segment.id, CAPACITY));
  }

  @Test
  void onlyThisUserMayReadIt() throws IOException {
    Path file = SharedSegment.file(directory, HostIdentity.OWN, PID, segment.id);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void missingSlotsAreRejected() {
    SegmentReader reader = reader();
    segment.place(message(10, 1), 1);
    assertNotNull(reader.loan(0, CAPACITY, 1));
    var error = assertThrows(EngineException.class, () -> reader.loan(1, 1, 4));
    assertTrue(error.getMessage().startsWith("malformed message from rank 4: expected a slot of"));
    assertThrows(EngineException.class, () -> reader.loan(0, CAPACITY + 1, 4));
    SegmentReader lied = SegmentReader.open(directory, PID, segment.id, 100 * CAPACITY);
    assertThrows(EngineException.class, () -> lied.loan(0, 1, 4));
  }

  @Test
  void shelvesOfOtherHostsAreNotFound() {
    assertNull(SegmentReader.open(directory, PID, segment.id + 1, CAPACITY));
    assertNull(SegmentReader.open(directory, PID + 1, segment.id, CAPACITY));
    assertNull(SegmentReader.open(null, PID, segment.id, CAPACITY));
  }

  @Test
  void aSegmentOfAnotherHostIsNotFound() throws IOException {
    try (Closing other = new Closing(SharedSegment.create(directory, "other-host", CAPACITY))) {
      assertNull(SegmentReader.open(directory, PID, other.segment.id, CAPACITY));
    }
  }

  private record Closing(SharedSegment segment) implements AutoCloseable {
    @Override
    public void close() {
      segment.close();
    }
  }

  @Test
  @Tag("system")
  void whatKilledProcessesLeftIsSweptAway() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path stale = Files.createFile(SharedSegment.file(directory, HostIdentity.OWN, dead.pid(), 1));
    Path other = Files.createFile(directory.resolve("amb-x-1"));
    SharedSegment.create(directory, 1).close();
    assertFalse(Files.exists(stale));
    assertTrue(Files.exists(other));
    assertTrue(Files.exists(SharedSegment.file(directory, HostIdentity.OWN, PID, segment.id)));
  }

  @Test
  @Tag("system")
  void anUndeletableSegmentDoesNotPreventSharing() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path stale = SharedSegment.file(directory, HostIdentity.OWN, dead.pid(), 1);
    Files.createFile(Files.createDirectory(stale).resolve("makes it stay"));
    Files.createFile(directory.resolve("amb--"));
    Files.createFile(directory.resolve("amb--1-1"));
    SharedSegment.create(directory, 1).close();
    assertTrue(Files.exists(stale));
  }

  @Test
  void aTooShortFileIsNoSegment() throws IOException {
    Path file = Files.createFile(SharedSegment.file(directory, HostIdentity.OWN, PID, 1));
    assertNull(SegmentReader.open(directory, PID, 1, CAPACITY));
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      assertFalse(open.anyMatch(descriptor -> file.equals(target(descriptor))));
    }
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return link; // Closed by now.
    }
  }

  @Test
  void aClosedSegmentLeavesNothing() throws IOException {
    segment.close();
    assertTrue(isEmpty());
    assertEquals(-1, segment.place(message(1, 1), 1));
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private SegmentReader reader() {
    SegmentReader reader = SegmentReader.open(directory, PID, segment.id, CAPACITY);
    assertNotNull(reader);
    return reader;
  }

  private static Message message(int length, float value) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    float[] values = message.ensureCapacity(length);
    for (int i = 0; i < length; i++) {
      values[i] = i == 0 || i == length - 1 ? value : i;
    }
    return message;
  }
}
