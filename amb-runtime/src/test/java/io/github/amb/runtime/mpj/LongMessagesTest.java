package io.github.amb.runtime.mpj;

import static io.github.amb.core.engine.Clock.NEVER;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * From an outbox to the inboxes of two ranks, through a process group that fills the room it asks
 * for.
 */
class LongMessagesTest {
  private static final int SENDING_ROOM = 89;
  private static final int RECEIVING_ROOM = 8;
  private static final int CHUNK = 10;
  private static final int LONG = 30;
  private static final int LIMIT = 500;
  private static final String ALTERED =
      "malformed message from rank 0: expected the next chunk as it was encrypted, found another";

  private final Peer[] workers = {null, new Peer(1), new Peer(2)};
  private final Star world = new Star();
  private final PayloadPool pool = new PayloadPool(SENDING_ROOM, CHUNK, 100_000);
  private final Outbox outbox =
      new Outbox(
          world,
          CHUNK,
          LONG,
          new Wakeup(),
          new SendGuard(),
          new SegmentSharing(workers, null),
          pool);
  private final Message message = new Message();

  @Property
  void allReceiveWhatWasSentWhereverItLies(
      @ForAll List<@IntRange(max = LIMIT) Integer> lengths,
      @ForAll boolean lent,
      @ForAll boolean encrypted,
      @ForAll @IntRange(max = 4000) int directBytes) {
    LongMessagesTest star = new LongMessagesTest();
    star.world.listen(directBytes, LIMIT);
    if (encrypted) {
      star.encrypt();
    }
    Message[] received = {null, new Message(), new Message()};
    for (int length : lengths) {
      float[] sent = star.prepare(length, lent);
      star.outbox.send(Peer.others(star.workers), star.message, NEVER);
      star.outbox.sent(star.message);
      for (int worker = 1; worker <= 2; worker++) {
        assertEquals(0, star.world.take(worker, received[worker]));
        assertArrayEquals(sent, Arrays.copyOf(received[worker].values(), length));
        star.workers[worker].window.reported(++star.world.consumed[worker], worker);
      }
    }
  }

  /** Worker 2 has another key, and no bit of its messages is changed. */
  @Property(tries = 200)
  void aBitFlippedUnderWayFailsItsReceiver(
      @ForAll @IntRange(max = 3) int chunk, @ForAll @IntRange(max = 10_000) int bit) {
    LongMessagesTest star = new LongMessagesTest();
    star.world.listen(100_000, LIMIT);
    star.encrypt();
    star.world.wire =
        (to, sent) -> {
          if (to == 1 && star.world.messages == 2 * chunk + 1) {
            sent[bit / 8 % sent.length] ^= (byte) (1 << bit % 8);
          }
        };
    float[] values = star.prepare(100, true);
    star.outbox.send(Peer.others(star.workers), star.message, NEVER);
    assertEquals(ALTERED, star.world.inboxes[1].failure(0));
    assertEquals(-1, star.world.take(1, new Message()));
    Message received = new Message();
    assertEquals(0, star.world.take(2, received));
    assertArrayEquals(values, Arrays.copyOf(received.values(), 100));
  }

  @Test
  void aChunkThatIsLeftOutOrRepeatedFailsItsReceiver() {
    world.listen(100_000, LIMIT);
    encrypt();
    List<byte[]> heard = new ArrayList<>();
    world.wire =
        (to, sent) -> {
          heard.add(sent.clone());
          byte[] instead = heard.get(to == 1 ? 0 : heard.size() - 1);
          System.arraycopy(instead, 0, sent, 0, sent.length);
        };
    for (int i = 0; i < 2; i++) {
      prepare(CHUNK, false);
      outbox.send(workers[1].alone, message, NEVER);
      outbox.send(workers[2].alone, message, NEVER);
    }
    assertEquals(ALTERED, world.inboxes[1].failure(0));
    assertNull(world.inboxes[2].failure(0));
  }

  /** Neither the floats nor the header; the same message without encryption shows both. */
  @Test
  void whatIsEncryptedDoesNotShowItself() {
    world.listen(100_000, LIMIT);
    StringBuilder heard = new StringBuilder();
    world.wire = (to, sent) -> heard.append(HexFormat.of().formatHex(sent));
    prepare(100, true);
    ByteBuffer some = ByteBuffer.allocate(40).order(ByteOrder.nativeOrder());
    for (int i = 0; i < 10; i++) {
      some.putFloat(message.payload().get(50 + i));
    }
    String floats = HexFormat.of().formatHex(some.array());
    String head =
        HexFormat.of().formatHex(some.clear().putInt(WireHeader.MAGIC).array(), 0, Integer.BYTES);
    outbox.send(workers[1].alone, message, NEVER);
    assertTrue(heard.indexOf(floats) >= 0 && heard.indexOf(head) == 0, "plain");
    heard.setLength(0);
    encrypt();
    outbox.send(workers[2].alone, message, NEVER);
    assertTrue(heard.indexOf(floats) < 0 && heard.indexOf(head) != 0, "encrypted");
    assertEquals(0, world.take(2, new Message()));
  }

  @Test
  void chunksAfterTheFirstAreLongWhereNothingIsCopied() {
    world.listen(100_000, LIMIT);
    prepare(100, true);
    outbox.send(workers[1].alone, message, NEVER);
    assertEquals(4, world.messages);
    prepare(100, false);
    outbox.send(workers[2].alone, message, NEVER);
    assertEquals(4 + 10, world.messages);
  }

  @Test
  void memoryIsUsedAgainAtBothEnds() {
    world.listen(100_000, LIMIT);
    Message received = new Message();
    prepare(100, true);
    Message.Loan sent = message.loan();
    outbox.send(workers[1].alone, message, NEVER);
    outbox.sent(message);
    world.take(1, received);
    Message.Loan taken = received.loan();
    assertNotNull(taken);
    received.release();
    prepare(90, true);
    assertSame(sent, message.loan());
    outbox.send(workers[1].alone, message, NEVER);
    world.take(1, received);
    assertSame(taken, received.loan());
  }

  @Test
  void aMessageCutOffByAnInterruptFailsItsReceiver() {
    world.listen(100_000, LIMIT);
    prepare(100, true);
    world.during = () -> Thread.currentThread().interrupt();
    assertThrows(EngineException.class, () -> outbox.send(workers[1].alone, message, NEVER));
    assertTrue(Thread.interrupted());
    world.during = () -> {};
    prepare(100, true);
    assertThrows(LostException.class, () -> outbox.send(workers[1].alone, message, NEVER));
    assertNull(world.inboxes[1].failure(0));
    outbox.send(workers[2].alone, message, NEVER);
    assertEquals(0, world.take(2, new Message()));
  }

  /** Each chunk takes less than a write may, all together more. */
  @Test
  void aMessageOfManyChunksFailsAtItsDeadline() {
    world.listen(100_000, LIMIT);
    prepare(100, false);
    world.during = LongMessagesTest::halfOfPatience;
    EngineException late =
        assertThrows(
            LostException.class, () -> outbox.send(workers[1].alone, message, System.nanoTime()));
    assertEquals("rank 1 did not accept a message before the deadline", late.getMessage());
  }

  @Test
  void aMessageAcceptedAtItsDeadlineIsSent() {
    world.listen(100_000, LIMIT);
    prepare(CHUNK, false);
    world.during = LongMessagesTest::untilInterrupted;
    outbox.send(workers[1].alone, message, System.nanoTime());
    assertFalse(Thread.interrupted());
    assertNull(workers[1].loss());
    assertEquals(0, world.take(1, new Message()));
  }

  private static void untilInterrupted() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
  }

  private static void halfOfPatience() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(SendGuard.PATIENCE / 2);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aRejectedMessageFailsItsSourceAlone() {
    world.listen(100_000, 50);
    prepare(100, true);
    outbox.send(workers[1].alone, message, NEVER);
    assertEquals(
        "malformed message from rank 0: expected number of floats 0 to 50, found 100",
        world.inboxes[1].failure(0));
    assertEquals(-1, world.take(1, new Message()));
    prepare(50, true);
    outbox.send(workers[2].alone, message, NEVER);
    assertEquals(0, world.take(2, new Message()));
  }

  @Test
  void memoryIsLentWithinTheLimit() {
    PayloadPool small = new PayloadPool(0, CHUNK, 50 * Float.BYTES);
    assertNull(small.lend(CHUNK));
    assertNull(small.lendAny(CHUNK));
    PayloadMemory first = small.lend(31);
    assertTrue(first.isDirect() && first.floats().capacity() == 40);
    assertNull(small.lend(11));
    PayloadMemory other = small.lendAny(11);
    assertTrue(!other.isDirect() && other.floats().capacity() == 20);
    other.end();
    first.end();
    assertSame(first, small.lend(21));
    assertSame(other, small.lendAny(11));
  }

  @Test
  void memoryThatIsTooSmallMakesRoom() {
    PayloadPool small = new PayloadPool(0, CHUNK, 50 * Float.BYTES);
    PayloadMemory first = small.lend(20);
    PayloadMemory second = small.lend(20);
    first.end();
    second.end();
    PayloadMemory all = small.lend(50);
    assertTrue(all.isDirect());
    assertNull(small.lend(20));
  }

  /** Gives each worker a key of its own. */
  private void encrypt() {
    for (Peer worker : Peer.others(workers)) {
      byte[] key = RunSecret.nonce();
      worker.outgoing = new Seal(key);
      world.masters[worker.rank].incoming = new Seal(key);
    }
  }

  private float[] prepare(int length, boolean lent) {
    message.reset(Message.Kind.GRADIENT, 1);
    Message.Loan memory = lent ? outbox.lend(length) : null;
    assertEquals(lent && length > CHUNK, memory != null);
    if (memory == null) {
      message.ensureCapacity(length);
    } else {
      message.borrow(memory, length);
    }
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = 1000 * world.messages + i;
    }
    message.payload().put(0, values);
    return values;
  }

  /** Rank 0 among two others; messages arrive as they are sent. */
  private static final class Star implements MpjWorld {
    private final Inbox[] inboxes = new Inbox[3];
    private final long[] consumed = new long[3];
    private final MessageMemory own =
        MessageMemory.allocate(RECEIVING_ROOM, Seal.sealedBytes(ChunkHeader.BYTES + 4 * CHUNK), 0);
    private final Peer[] masters = {null, new Peer(0), new Peer(0)};
    private Wire wire = (to, sent) -> {};
    private int messages;
    private Delivery during = () -> {};

    /** Sees the bytes of a message on their way, and may change them. */
    interface Wire {
      void carries(int to, byte[] sent);
    }

    /** What happens while a message is delivered. */
    interface Delivery {
      void happens() throws IOException;
    }

    void listen(int directBytes, int limit) {
      for (int worker = 1; worker <= 2; worker++) {
        Peer[] peers = {masters[worker], null, null};
        PayloadPool arriving = new PayloadPool(RECEIVING_ROOM, CHUNK, directBytes);
        inboxes[worker] = new Inbox(peers, SENDING_ROOM, limit, new Wakeup(), null, arriving, LONG);
      }
    }

    int take(int worker, Message into) {
      return inboxes[worker].take(Communicator.MASTER, into);
    }

    @Override
    public void send(int to, MessageMemory memory, int bytes) throws IOException {
      messages++;
      during.happens();
      fillRoom(memory);
      assertEquals(SENDING_ROOM, memory.whole().capacity() - memory.message().capacity());
      MessageMemory chosen = inboxes[to].next(0);
      MessageMemory place = chosen == null ? own : chosen;
      fillRoom(place);
      byte[] sent = new byte[bytes];
      memory.message().get(0, sent);
      wire.carries(to, sent);
      place.message().put(0, sent);
      inboxes[to].arrived(0, place.message(), bytes);
    }

    private static void fillRoom(MessageMemory memory) {
      int room = memory.whole().capacity() - memory.message().capacity();
      memory.whole().put(0, ByteBuffer.wrap(new byte[room]), 0, room);
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return inboxes.length;
    }

    @Override
    public List<String> remaining() {
      return List.of();
    }

    @Override
    public int overhead() {
      return SENDING_ROOM;
    }

    @Override
    public int receivingRoom() {
      return RECEIVING_ROOM;
    }

    @Override
    public int eagerLimit() {
      return Integer.MAX_VALUE;
    }

    @Override
    public boolean asksForMemory() {
      return true;
    }

    @Override
    public void listen(int capacity, int aligned, Listener listener) {}

    @Override
    public void leave() {}

    @Override
    public List<String> rejected() {
      return List.of();
    }

    @Override
    public void abandon() {}
  }
}
