package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final int OVERHEAD = 89;

  private final ChunkSum sum = new ChunkSum();
  private final Peer[] peers = {null, new Peer(1), new Peer(2)};
  private final PayloadPool memory = new PayloadPool(8, 10, 4000);
  private final Inbox inbox = new Inbox(peers, OVERHEAD, 100, new Wakeup(), null, memory, 300);
  private final ByteBuffer packet =
      ByteBuffer.allocateDirect(ChunkHeader.BYTES + 400).order(ByteOrder.nativeOrder());

  @Test
  void chunksOfTwoSourcesStayApart() {
    arrive(1, 5, 0, 1, 2);
    arrive(2, 3, 0, 7, 8, 9);
    arrive(1, 5, 2, 3, 4, 5);
    Message message = new Message();
    assertEquals(2, inbox.take(Communicator.ANY, message));
    assertArrayEquals(new float[] {7, 8, 9}, payload(message));
    assertEquals(1, inbox.take(Communicator.ANY, message));
    assertArrayEquals(new float[] {1, 2, 3, 4, 5}, payload(message));
    assertEquals(-1, inbox.take(Communicator.ANY, message));
    assertEquals(3 * (OVERHEAD + ChunkHeader.BYTES) + 8 * 4, inbox.bytes());
  }

  @Test
  void payloadArraysAreReused() {
    Message message = new Message();
    float[] mine = message.ensureCapacity(3);
    arrive(1, 3, 0, 1, 2, 3);
    inbox.take(1, message);
    float[] theirs = message.values();
    arrive(1, 3, 0, 4, 5, 6);
    inbox.take(1, message);
    assertSame(mine, message.values());
    arrive(1, 3, 0, 7, 8, 9);
    inbox.take(1, message);
    assertSame(theirs, message.values());
    assertArrayEquals(new float[] {7, 8, 9}, payload(message));
  }

  @Test
  void chunkOutOfOrderLosesItsSourceAlone() {
    arrive(1, 5, 0, 1, 2);
    arrive(1, 5, 3, 4, 5);
    assertEquals(
        "malformed message from rank 1: expected floats from 2 of 5, found from 3 of 5",
        inbox.failure(1));
    assertNull(inbox.failure(2));
    assertEquals(inbox.failure(1), inbox.failure(Communicator.ANY));
    assertEquals(1, ((MalformedMessageException) inbox.lost(Communicator.ANY)).source());
    arrive(2, 0, 0);
    assertEquals(2, inbox.take(Communicator.ANY, new Message()));
  }

  @Test
  void aChangedValueLosesItsSource() {
    prepare(1, 3, 0, 1, 2, 3);
    packet.put(ChunkHeader.BYTES + 5, (byte) 1);
    inbox.arrived(1, packet, ChunkHeader.BYTES + 12);
    assertTrue(inbox.failure(1).contains("expected the chunk's floats to have the checksum"));
    assertEquals(-1, inbox.take(1, new Message()));
  }

  @Test
  void aMessageTooLargeForMemoryFailsItsSource() {
    Inbox large = new Inbox(peers, OVERHEAD, Integer.MAX_VALUE, new Wakeup(), null, memory, 300);
    prepare(1, Integer.MAX_VALUE, 0, 1, 2);
    large.arrived(1, packet, ChunkHeader.BYTES + 8);
    assertTrue(
        large.failure(1).startsWith("no memory for a message of 2147483647 floats from rank 1: "),
        large.failure(1));
    assertNull(large.failure(2));
  }

  @Test
  void messagesOutliveTheirSource() {
    arrive(1, 1, 0, 5);
    inbox.ended(null);
    assertTrue(inbox.news(1).getAsBoolean());
    assertEquals(1, inbox.take(1, new Message()));
    assertEquals("a connection to one of ranks 1, 2 broke", inbox.failure(1));
  }

  @Test
  void whatWasReceivedThatNoRankSendsIsTheCause() {
    inbox.ended("expected a message, found other bytes");
    assertEquals(
        "the connections to ranks 1, 2 broke: expected a message, found other bytes",
        inbox.failure(2));
  }

  @Test
  void theOnlyRankWithoutGoodbyeFailed() {
    control(1, ChunkHeader.GOODBYE);
    inbox.ended(null);
    assertEquals("rank 1 has left the run", inbox.failure(1));
    assertEquals("the connection to rank 2 broke", inbox.failure(2));
    assertEquals(inbox.failure(2), inbox.failure(Communicator.ANY));
  }

  @Test
  void goodbyesOfSomeAreNoFailureOfOthers() {
    control(1, ChunkHeader.GOODBYE);
    assertNull(inbox.failure(Communicator.ANY));
    control(2, ChunkHeader.GOODBYE);
    assertEquals("all other ranks have left the run", inbox.failure(Communicator.ANY));
  }

  @Test
  void aSlotWithoutAnOfferLosesItsSource() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.ensureCapacity(7);
    ChunkHeader.put(packet, 1, message);
    ChunkHeader.putSlot(packet, 3);
    ChunkHeader.putReceiver(packet, 0, SegmentAnswer.NONE);
    sum.sealHead(packet);
    inbox.arrived(1, packet, ChunkHeader.BYTES);
    assertEquals(
        "malformed message from rank 1: expected a shared-memory segment before a slot of it, found none",
        inbox.failure(1));
  }

  @Test
  void anOfferThatCannotBeFoundIsDeclined() {
    control(1, ChunkHeader.OFFER);
    assertEquals(SegmentAnswer.NO, peers[1].ownAnswer);
    assertEquals(SegmentAnswer.NONE, peers[2].ownAnswer);
    assertNull(inbox.failure(1));
  }

  /** Rank 1 of this generation is worker 7. */
  @Test
  void aBrokenConnectionNamesTheWorkersNumber() {
    peers[1].number = 7;
    inbox.ended(null);
    assertEquals("a connection to one of ranks 7, 2 broke", inbox.failure(1));
  }

  @Property
  void anyBytesStayWithinTheLimit(@ForAll List<@Size(max = 300) byte[]> messages) {
    Peer[] fresh = {null, new Peer(1)};
    Inbox any = new Inbox(fresh, OVERHEAD, 100, new Wakeup(), null, memory, 300);
    boolean malformed = false;
    for (byte[] bytes : messages) {
      packet.put(0, bytes).putInt(0, WireHeader.MAGIC).putInt(4, 1).putInt(8, 2);
      sum.sealFloats(packet, Math.max(0, bytes.length - ChunkHeader.BYTES) / Float.BYTES);
      sum.sealHead(packet);
      any.arrived(1, packet, bytes.length);
      malformed |= bytes.length < ChunkHeader.BYTES;
    }
    Message message = new Message();
    while (any.take(1, message) > 0) {
      assertTrue(message.length() <= 100);
    }
    assertTrue(!malformed || any.failure(1).startsWith("malformed message from rank 1: "));
  }

  /** Chunks that follow each other, of which some have one entry of the head spoiled. */
  @Property
  void anyHeadersStayWithinTheLimit(@ForAll List<@From("heads") int[]> heads) {
    Peer peer = new Peer(1);
    Inbox any = new Inbox(new Peer[] {null, peer}, OVERHEAD, 100, new Wakeup(), null, memory, 300);
    MessageMemory own = MessageMemory.allocate(8, ChunkHeader.BYTES + 40, 0);
    Message message = new Message();
    for (int[] head : heads) {
      boolean begun = peer.arriving != null;
      int length = begun ? peer.arriving.length() : head[0];
      int[] entries = {2, length, begun ? peer.arrived : 0, head[1], ChunkHeader.NO_SLOT, 0};
      entries[head[2]] = head[2] == head[3] ? head[4] : entries[head[2]];
      boolean lost = peer.loss() != null;
      MessageMemory chosen = any.next(1);
      arrive(any, (chosen == null ? own : chosen).message(), entries);
      boolean came = any.take(1, message) > 0;
      assertTrue(!came || !lost && message.length() <= 100);
      assertTrue(
          peer.loss() != null || peer.arriving == null || peer.arrived < peer.arriving.length());
    }
  }

  private void arrive(Inbox into, ByteBuffer place, int... entries) {
    int room = (place.capacity() - ChunkHeader.BYTES) / Float.BYTES;
    int count = Math.max(0, Math.min(entries[3], room));
    ChunkHeader.put(place, 1, entries[0]);
    place.putInt(12, entries[1]);
    ChunkHeader.putPart(place, entries[2], count);
    ChunkHeader.putSlot(place, entries[4]);
    ChunkHeader.putReceiver(place, entries[5], SegmentAnswer.NONE);
    sum.sealFloats(place, count);
    sum.sealHead(place);
    into.arrived(1, place, ChunkHeader.BYTES + Float.BYTES * count);
  }

  /** Length and count of a chunk, an entry of its head, the one that is spoiled, and by what. */
  @Provide
  Arbitrary<int[]> heads() {
    Arbitrary<Integer> entry = Arbitraries.integers().between(0, 5);
    return Combinators.combine(
            Arbitraries.of(0, 5, 25, 55, 100),
            Arbitraries.of(5, 10, 15),
            entry,
            entry,
            Arbitraries.of(-1, 0, 1, 10, 99, 100, 101, 102, Integer.MAX_VALUE, Integer.MIN_VALUE))
        .as((length, count, one, other, value) -> new int[] {length, count, one, other, value});
  }

  private void arrive(int from, int length, int offset, float... values) {
    prepare(from, length, offset, values);
    inbox.arrived(from, packet, ChunkHeader.BYTES + 4 * values.length);
  }

  private void prepare(int from, int length, int offset, float... values) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.exchange(new float[0], length); // the length alone counts
    ChunkHeader.put(packet, from, message);
    ChunkHeader.putPart(packet, offset, values.length);
    ChunkHeader.putReceiver(packet, 0, SegmentAnswer.NONE);
    assertNotNull(peers[from].floats(packet).put(0, values));
    sum.sealFloats(packet, values.length);
    sum.sealHead(packet);
  }

  private void control(int from, int kind) {
    ChunkHeader.put(packet, from, kind);
    ChunkHeader.putReceiver(packet, 0, SegmentAnswer.NONE);
    sum.sealHead(packet);
    inbox.arrived(from, packet, ChunkHeader.BYTES);
  }

  private static float[] payload(Message message) {
    return Arrays.copyOf(message.values(), message.length());
  }
}
