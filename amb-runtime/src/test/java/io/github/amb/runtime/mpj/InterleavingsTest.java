package io.github.amb.runtime.mpj;

import static io.github.amb.runtime.system.Interleavings.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.system.Interleavings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program's thread and the receiving thread share, in many orders of their steps. */
@Tag("lab")
class InterleavingsTest {
  private static final int ORDERS = 300;

  /** Of 748 orders one shows an unguarded {@link Inbox#take}. */
  @Test
  void messagesAreTakenOnce() throws Exception {
    Interleavings.check(MessagesAreTakenOnce.class, 800);
  }

  /** A lost wake-up would be a thread that waits for ever, which fails the order. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        ALossWakes.class,
        AReportWakes.class,
        TheFirstLossStays.class,
        NoInterruptComesLate.class,
        AStuckSendEnds.class,
        MemoryIsLentOnce.class,
        ASlotStaysWhileItIsRead.class,
        ASegmentIsFoundByAll.class
      })
  void everyOrderIsRight(Class<? extends Interleavings.Body> body) throws Exception {
    Interleavings.check(body, ORDERS);
  }

  @Test
  void aLostWakeupIsFound() throws Exception {
    String found = Interleavings.failure(LostWakeup.class, ORDERS);
    assertTrue(found.contains("DeadlockException"), found);
  }

  /** Tests first, and then says that it waits. */
  static final class LostWakeup implements Interleavings.Body {
    private volatile boolean news;
    private volatile Thread waiter;

    @Override
    public void run() throws InterruptedException {
      news = false;
      Thread other = start(this::ring);
      if (!news) {
        waiter = Thread.currentThread();
        LockSupport.park(this);
      }
      other.join();
    }

    private void ring() {
      news = true;
      LockSupport.unpark(waiter);
    }
  }

  /** An inbox of rank 0 of three, and what ranks 1 and 2 send. */
  private static final class Arrivals {
    final Wakeup wakeup = new Wakeup();
    final Peer[] peers = {null, new Peer(1), new Peer(2)};
    final Inbox inbox = new Inbox(peers, 8, 100, wakeup, null, new PayloadPool(8, 10, 4000), 300);
    private final ChunkSum sum = new ChunkSum();
    private final ByteBuffer packet =
        ByteBuffer.allocate(ChunkHeader.BYTES + 40).order(ByteOrder.nativeOrder());

    /** A message with one value twice. */
    void message(int from, float value) {
      Message message = new Message().reset(Message.Kind.GRADIENT, 1);
      message.ensureCapacity(2);
      ChunkHeader.put(packet, from, message);
      ChunkHeader.putPart(packet, 0, 2);
      packet.putFloat(ChunkHeader.BYTES, value).putFloat(ChunkHeader.BYTES + 4, value);
      arrive(from, 0, 2);
    }

    void control(int from, int kind, long consumed) {
      ChunkHeader.put(packet, from, kind);
      arrive(from, consumed, 0);
    }

    private void arrive(int from, long consumed, int floats) {
      ChunkHeader.putReceiver(packet, consumed, SegmentAnswer.NONE);
      sum.sealFloats(packet, floats);
      sum.sealHead(packet);
      inbox.arrived(from, packet, ChunkHeader.BYTES + Float.BYTES * floats);
    }

    /** Waits for news of a rank. */
    void await(int from) {
      assertTrue(wakeup.await(inbox.news(from), Clock.NEVER));
    }
  }

  static final class MessagesAreTakenOnce implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Arrivals arrivals = new Arrivals();
      Thread receiver =
          start(
              () -> {
                arrivals.message(1, 10);
                arrivals.control(2, ChunkHeader.ACKNOWLEDGEMENT, 0);
                arrivals.message(2, 20);
                arrivals.message(1, 11);
              });
      List<List<Float>> taken = List.of(List.of(), new ArrayList<>(), new ArrayList<>());
      Message message = new Message();
      for (int i = 0; i < 3; i++) {
        arrivals.await(Communicator.ANY);
        int from = arrivals.inbox.take(Communicator.ANY, message);
        assertTrue(from > 0);
        taken.get(from).add(message.payload().get(0));
        Thread.yield();
        assertEquals(message.payload().get(0), message.payload().get(1));
      }
      receiver.join();
      assertEquals(-1, arrivals.inbox.take(Communicator.ANY, message));
      assertEquals(List.of(List.of(), List.of(10f, 11f), List.of(20f)), taken);
    }
  }

  static final class ALossWakes implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Arrivals arrivals = new Arrivals();
      CountDownLatch seen = new CountDownLatch(1);
      Thread receiver =
          start(
              () -> {
                arrivals.control(1, ChunkHeader.GOODBYE, 0);
                seen.await();
                arrivals.inbox.ended(null);
              });
      arrivals.await(1);
      assertEquals("rank 1 has left the run", arrivals.inbox.failure(1));
      seen.countDown();
      arrivals.await(2);
      assertEquals("the connection to rank 2 broke", arrivals.inbox.lost(2).getMessage());
      receiver.join();
    }
  }

  /** Three messages fill the window, until the receiver has consumed one. */
  static final class AReportWakes implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Arrivals arrivals = new Arrivals();
      Peer peer = arrivals.peers[1];
      BlockingQueue<Long> sent = new LinkedBlockingQueue<>();
      Thread receiver =
          start(
              () -> {
                for (int i = 0; i < 5; i++) {
                  arrivals.control(1, ChunkHeader.ACKNOWLEDGEMENT, sent.take());
                }
              });
      peer.waitingBytes = SendWindow.OPEN_BYTES / 2;
      for (long i = 1; i <= 5; i++) {
        assertTrue(arrivals.wakeup.await(peer.admission, Clock.NEVER));
        assertNull(peer.loss());
        peer.window.opened(peer.waitingBytes);
        sent.add(i);
      }
      receiver.join();
      for (int i = 0; i < 3; i++) {
        assertTrue(peer.window.admits(peer.waitingBytes));
        peer.window.opened(peer.waitingBytes);
      }
      assertFalse(peer.window.admits(peer.waitingBytes));
    }
  }

  static final class TheFirstLossStays implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Peer peer = new Peer(1);
      Thread receiver = start(() -> peer.lose(new MalformedMessageException(1, "malformed")));
      Thread sender = start(() -> peer.lose("broken"));
      while (peer.loss() == null) {
        Thread.yield();
      }
      String first = peer.loss();
      LostException failure = peer.failure();
      if (first.equals("broken")) {
        assertEquals(first, failure.getMessage());
      } else {
        assertInstanceOf(MalformedMessageException.class, failure);
      }
      receiver.join();
      sender.join();
      assertEquals(first, peer.loss());
    }
  }

  /** After the end of a write, which the guard may have interrupted. */
  static final class NoInterruptComesLate implements Interleavings.Body {
    @Override
    public void run() {
      try (SendGuard guard = new SendGuard()) {
        for (int i = 0; i < 3; i++) {
          guard.begin(System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(2));
          Thread.yield();
          guard.end();
          assertFalse(Thread.currentThread().isInterrupted());
          guard.begin(Clock.NEVER);
          Thread.yield();
          assertFalse(guard.end());
          assertFalse(Thread.currentThread().isInterrupted());
        }
      }
    }
  }

  /** Two writes to a rank that reads nothing. */
  static final class AStuckSendEnds implements Interleavings.Body {
    @Override
    public void run() {
      Wakeup wakeup = new Wakeup();
      Peer[] peers = {null, new Peer(1), new Peer(2)};
      try (SendGuard guard = new SendGuard()) {
        Outbox outbox =
            new Outbox(
                stuckWorld(),
                10,
                100,
                wakeup,
                guard,
                new SegmentSharing(peers, null),
                new PayloadPool(8, 10, 4000));
        Message message = new Message().reset(Message.Kind.GRADIENT, 1);
        message.ensureCapacity(2);
        for (int to = 1; to <= 2; to++) {
          Peer[] alone = peers[to].alone;
          assertThrows(LostException.class, () -> outbox.send(alone, message, System.nanoTime()));
          assertEquals(
              "rank " + to + " did not accept a message before the deadline", peers[to].loss());
          assertFalse(Thread.currentThread().isInterrupted());
        }
      }
    }

    private static MpjWorld stuckWorld() {
      return (MpjWorld)
          Proxy.newProxyInstance(
              MpjWorld.class.getClassLoader(),
              new Class<?>[] {MpjWorld.class},
              (proxy, method, arguments) -> {
                if (!method.getName().equals("send")) {
                  return method.getName().equals("overhead") ? 8 : 0;
                }
                while (!Thread.currentThread().isInterrupted()) {
                  LockSupport.park();
                }
                throw new ClosedByInterruptException();
              });
    }
  }

  /** The receiving thread borrows what the program's thread returns. */
  static final class MemoryIsLentOnce implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      PayloadPool pool = new PayloadPool(8, 10, 4000);
      Thread receiver = start(() -> use(pool, 1));
      use(pool, 2);
      receiver.join();
      assertFalse(pool.lend(20) == pool.lend(20));
    }

    private static void use(PayloadPool pool, float value) {
      for (int i = 0; i < 3; i++) {
        PayloadMemory memory = pool.lend(20);
        memory.floats().put(0, value);
        Thread.yield();
        assertEquals(value, memory.floats().get(0));
        memory.end();
      }
    }
  }

  /** Two ranks read each message; the maker writes to what both have read. */
  static final class ASlotStaysWhileItIsRead implements Interleavings.Body {
    private static final int MESSAGES = 5;

    @Override
    public void run() throws IOException, InterruptedException {
      Path directory = Files.createTempDirectory("amb-slots");
      SharedSegment segment = SharedSegment.create(directory, 4);
      List<BlockingQueue<int[]>> queues =
          List.of(new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
      List<Thread> readers = new ArrayList<>();
      for (BlockingQueue<int[]> queue : queues) {
        SegmentReader reader =
            SegmentReader.open(directory, ProcessHandle.current().pid(), segment.id, 4);
        readers.add(start(() -> read(reader, queue)));
      }
      Message message = new Message().reset(Message.Kind.PARAMETERS, 1);
      for (int i = 0; i < MESSAGES; i++) {
        message.ensureCapacity(1)[0] = i;
        int slot = segment.place(message, 2);
        for (BlockingQueue<int[]> queue : queues) {
          queue.add(new int[] {slot, i});
        }
      }
      for (Thread reader : readers) {
        reader.join();
      }
      // All are free again, so that each can be lent once.
      for (int i = 0; i < SlotCounters.SLOTS; i++) {
        assertNotNull(segment.lend(4));
      }
      segment.close();
      Files.delete(directory);
    }

    private static void read(SegmentReader reader, BlockingQueue<int[]> queue)
        throws InterruptedException {
      for (int i = 0; i < MESSAGES; i++) {
        int[] next = queue.take();
        Message.Loan loan = reader.loan(next[0], 1, 0);
        Thread.yield();
        assertEquals(next[1], loan.floats().get(0));
        loan.end();
      }
      reader.close();
    }
  }

  /** Its name stays until both workers have answered. */
  static final class ASegmentIsFoundByAll implements Interleavings.Body {
    @Override
    public void run() throws IOException, InterruptedException {
      Path directory = Files.createTempDirectory("amb-segment");
      Peer[] peers = {null, new Peer(1), new Peer(2)};
      SegmentSharing sharing = new SegmentSharing(peers, directory);
      Message message = new Message().reset(Message.Kind.PARAMETERS, 1);
      message.ensureCapacity(SegmentSharing.MIN);
      long id = sharing.offer(message).id;
      List<Thread> receivers = new ArrayList<>();
      for (Peer peer : sharing.partners) {
        receivers.add(start(() -> answer(peer, directory, id)));
      }
      for (int i = 0; i < 3; i++) {
        sharing.place(message, 0);
        Thread.yield();
      }
      for (Thread receiver : receivers) {
        receiver.join();
      }
      sharing.place(message, 0);
      Files.delete(directory);
      sharing.close();
    }

    private static void answer(Peer peer, Path directory, long id) {
      SegmentReader reader =
          SegmentReader.open(directory, ProcessHandle.current().pid(), id, SegmentSharing.MIN);
      assertNotNull(reader);
      reader.close();
      peer.answered(SegmentAnswer.YES);
    }
  }
}
