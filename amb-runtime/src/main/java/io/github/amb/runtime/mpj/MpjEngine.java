package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.option.Decimal;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The communicator of a rank that MPJ Express started: {@code main} receives rank, configuration
 * and device before its own arguments.
 *
 * <p>Messages travel in chunks from and to the engine's direct memory, for long payloads without a
 * copy ({@link PayloadMemory}). Large payloads between ranks of one host stay in memory that both
 * map ({@link SharedSegment}), and only their headers are sent. A sender waits while the receiver
 * has not consumed what it received ({@link SendWindow}). When one connection breaks, MPJ Express
 * closes all of them; all ranks that have not said goodbye then count as failed.
 */
public final class MpjEngine implements Communicator {
  /** System property: a file system in memory for large payloads; empty for none. */
  public static final String SHARED_PROPERTY = SharedSegment.PROPERTY;

  /** System property: bytes of payload per chunk; the same on all ranks. */
  public static final String CHUNK_PROPERTY = "amb.mpj.chunk";

  /**
   * System property: the address on which this rank listens; by default that of its route to the
   * others.
   */
  public static final String ADDRESS_PROPERTY = "amb.mpj.address";

  /** System property: true if this rank encrypts its messages; the same on all ranks. */
  public static final String ENCRYPT_PROPERTY = "amb.mpj.encrypt";

  /** Default of {@value #CHUNK_PROPERTY}. */
  public static final int CHUNK_BYTES = 256 << 10;

  /** Maximum number of floats in a message (1 GiB). */
  public static final int FLOATS = 1 << 28;

  private static final String NIODEV = "niodev";
  private static final Set<String> DEVICES = Set.of(NIODEV, "smpdev", "hybdev");
  public static final String WORLD_CLASS = "io.github.amb.runtime.mpj.express.ExpressWorld";

  /**
   * Maximum bytes of a message, for which receivers have memory. It fits in the second-level cache
   * of a core between checksum and socket; larger messages do not, and smaller ones cost more
   * calls.
   */
  static final int LONG_BYTES = 1 << 20;

  /** Maximum bytes of direct memory for arriving payloads, and for outgoing ones. */
  private static final long ARRIVING_BYTES = 512L << 20;

  private static final long SENT_BYTES = 128L << 20;
  private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final MpjWorld world;
  private final Peer[] peers;
  private final Peer[] others;
  private final Wakeup wakeup = new Wakeup();
  private final SendGuard guard = new SendGuard();
  private final SegmentSharing sharing;
  private final Inbox inbox;
  private final Outbox outbox;
  private boolean closed;

  private MpjEngine(MpjWorld world) {
    this.world = world;
    peers = new Peer[world.size()];
    Arrays.setAll(peers, i -> i == world.rank() ? null : new Peer(i));
    others = Peer.others(peers);
    for (Peer peer : others) {
      peer.incoming = seal(world.key(peer.rank, false));
      peer.outgoing = seal(world.key(peer.rank, true));
    }
    int eagerLimit = Seal.plainBytes(world.eagerLimit());
    int chunkFloats = chunkFloats(eagerLimit);
    Path segments = SharedSegment.directory();
    sharing = new SegmentSharing(peers, segments);
    PayloadPool arriving = pool(world.receivingRoom(), chunkFloats, ARRIVING_BYTES);
    PayloadPool sent = pool(world.overhead(), chunkFloats, SENT_BYTES);
    int longFloats = world.asksForMemory() ? longFloats(eagerLimit, chunkFloats) : chunkFloats;
    inbox = new Inbox(peers, world.overhead(), FLOATS, wakeup, segments, arriving, longFloats);
    outbox = new Outbox(world, chunkFloats, longFloats, wakeup, guard, sharing, sent);
    int longest = Seal.sealedBytes(ChunkHeader.BYTES + chunkFloats * Float.BYTES);
    world.listen(longest, ChunkHeader.BYTES, inbox);
  }

  private static Seal seal(byte[] key) {
    return key == null ? null : new Seal(key);
  }

  private static int chunkFloats(int eagerLimit) {
    int bytes = Integer.getInteger(CHUNK_PROPERTY, CHUNK_BYTES);
    int floats = Math.min(bytes, eagerLimit - ChunkHeader.BYTES) / Float.BYTES;
    if (floats < 1) {
      throw new EngineException(
          Decimal.format(
              "no room for a chunk: expected at least %d bytes in -D%s and in MPJ Express' protocol"
                  + " switch limit, found %d and %d",
              ChunkHeader.BYTES + Float.BYTES, CHUNK_PROPERTY, bytes, eagerLimit));
    }
    return floats;
  }

  /** Maximum number of floats in the chunks after the first, if a receiver chooses the memory. */
  private static int longFloats(int eagerLimit, int chunkFloats) {
    int bytes = Math.min(LONG_BYTES, eagerLimit) - ChunkHeader.BYTES;
    return Math.max(1, bytes / Float.BYTES / chunkFloats) * chunkFloats;
  }

  /** A pool within the JVM's limit of direct memory, which by default is that of the heap. */
  private static PayloadPool pool(int room, int chunkFloats, long most) {
    return new PayloadPool(room, chunkFloats, Math.min(most, Runtime.getRuntime().maxMemory() / 4));
  }

  /** Whether {@code args} start with the arguments that MPJ Express passes to a rank. */
  public static boolean isRank(String[] args) {
    return args.length >= 3 && args[0].matches("\\d{1,6}") && DEVICES.contains(args[2]);
  }

  /**
   * Whether the ranks are threads of one JVM, which a rank must not exit.
   *
   * @param args arguments for which {@link #isRank} holds
   */
  public static boolean sharesJvm(String[] args) {
    return !args[2].equals(NIODEV);
  }

  /**
   * Connects to all other ranks.
   *
   * @param args the arguments of {@code main}
   * @return the engine, once all ranks are connected
   * @throws io.github.amb.core.option.UsageException if MPJ Express is not installed
   * @throws EngineException if the ranks cannot connect
   */
  public static MpjEngine join(String[] args) {
    return join(args, null);
  }

  /**
   * Connects to all other ranks, which exchange their ports at {@code meeting}.
   *
   * @param args the arguments of {@code main}
   * @param meeting where ranks exchange their ports; null for MPJ Express' own place
   * @return the engine, once all ranks are connected
   * @throws io.github.amb.core.option.UsageException if MPJ Express is not installed
   * @throws EngineException if the ranks cannot connect
   */
  public static MpjEngine join(String[] args, Rendezvous meeting) {
    if (!isRank(args)) {
      throw new EngineException("expected rank, configuration and device before other arguments");
    }
    // Ranks that share a JVM must share the classes that MPJ Express' launcher has loaded.
    boolean shared = sharesJvm(args);
    return join(shared ? MpjEngine.class.getClassLoader() : WorldLoader.create(), 1, args, meeting);
  }

  /** Connects with the MPJ Express of a class loader, for the generation of that number. */
  public static MpjEngine join(
      ClassLoader loader, int generation, String[] args, Rendezvous meeting) {
    Class<?>[] types = {int.class, String[].class, Rendezvous.class};
    return new MpjEngine((MpjWorld) call(loader, "join", types, generation, args, meeting));
  }

  /** Ends the unfinished process group of a class loader; returns the rejected connections. */
  @SuppressWarnings("unchecked")
  public static List<String> leaveUnfinished(ClassLoader loader) {
    return (List<String>) call(loader, "leaveUnfinished", new Class<?>[0]);
  }

  private static Object call(
      ClassLoader loader, String method, Class<?>[] types, Object... arguments) {
    try {
      Class<?> type = Class.forName(WORLD_CLASS, true, loader);
      return type.getMethod(method, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof EngineException failure
          ? failure
          : new EngineException("cannot connect to the other ranks: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new EngineException("cannot load MPJ Express: " + e, e);
    }
  }

  /** The program's own arguments. */
  public String[] remaining() {
    return world.remaining().toArray(String[]::new);
  }

  /** Sets the numbers of the ranks in the run, for messages; usually they are the ranks. */
  public void numbers(int[] members) {
    Arrays.stream(others).forEach(peer -> peer.number = members[peer.rank]);
  }

  /** Whether large payloads to {@code rank} go through memory that both ranks map. */
  boolean sharesMemory(int rank) {
    return sharing.reaches(peer(rank));
  }

  /**
   * Ends this process group, from any thread. A thread that waits in it, or is stuck in a write,
   * gets a {@link LostException}. The connection alone does not tell an unreachable rank from a
   * slow one.
   *
   * @param reason message of the exception
   */
  public void end(String reason) {
    for (Peer peer : others) {
      peer.lose(reason);
    }
    wakeup.ring();
    world.abandon();
  }

  /** The connections that were rejected while this rank connected, as {@code host:port}. */
  public List<String> rejected() {
    return world.rejected();
  }

  @Override
  public int rank() {
    return world.rank();
  }

  @Override
  public int size() {
    return peers.length;
  }

  @Override
  public boolean lend(int to, Message message, int length) {
    Peer[] receivers = to == ANY ? sharing.partners : peer(to).alone;
    Message.Loan memory = sharing.lend(receivers, length);
    if (memory == null && sharing.excludesSome(receivers)) {
      memory = outbox.lend(length);
    }
    if (memory != null) {
      message.borrow(memory, length);
    }
    return memory != null;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    outbox.send(peer(to).alone, message, deadline);
    sent(message);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    outbox.send(others, message, deadline);
    sent(message);
  }

  private void sent(Message message) {
    sharing.sent(message);
    outbox.sent(message);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    if (from != ANY) {
      peer(from);
    }
    if (!wakeup.await(inbox.news(from), deadline)) {
      return false;
    }
    int source = inbox.take(from, into);
    if (source < 0) {
      throw inbox.lost(from);
    }
    consumed(peers[source], (long) Float.BYTES * into.length());
    return true;
  }

  private void consumed(Peer peer, long bytes) {
    peer.consumed++;
    peer.unreportedMessages++;
    peer.unreportedBytes += bytes;
    if (SendWindow.isReportDue(peer.unreportedMessages, peer.unreportedBytes)) {
      outbox.acknowledge(peer);
    }
  }

  private Peer peer(int rank) {
    if (rank < 0 || rank >= peers.length || peers[rank] == null) {
      throw new EngineException(
          Decimal.format("expected another rank from 0 to %d, found %d", peers.length - 1, rank));
    }
    return peers[rank];
  }

  @Override
  public long bytesSent() {
    return outbox.bytes();
  }

  @Override
  public long bytesReceived() {
    return inbox.bytes();
  }

  /**
   * Says goodbye and waits up to three seconds until all ranks have, as MPJ Express cuts all
   * connections when the first process ends. After a failure, end the process instead.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Peer peer : others) {
      outbox.sayGoodbye(peer);
    }
    boolean together = wakeup.await(this::isAlone, System.nanoTime() + GOODBYE_NANOS);
    guard.close();
    sharing.close();
    inbox.close();
    if (together) {
      world.leave();
    }
  }

  /** Leaves without a goodbye, as from a generation that has ended; frees all memory. */
  public void abandon() {
    closed = true;
    world.abandon();
    guard.close();
    sharing.close();
    inbox.close();
  }

  private boolean isAlone() {
    return Arrays.stream(others).allMatch(peer -> peer.departed || peer.loss() != null);
  }
}
