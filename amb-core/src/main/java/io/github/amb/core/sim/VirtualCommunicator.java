package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import java.util.ArrayList;
import java.util.List;

/** One rank's communicator and clock on the virtual cluster. */
final class VirtualCommunicator implements Communicator, Clock {
  /** Bytes of a message beside its payload: the size of the MPJ engine's header. */
  static final int HEADER_BYTES = 192;

  private static final int NOBODY = -2;

  private final VirtualCluster cluster;
  private final Scheduler scheduler;
  private final int rank;
  private final Ingress ingress;
  private int awaited;
  private int awaitsRoomAt = NOBODY;
  private int lastReceived;
  private int generation = 1;
  private Round round; // null unless rounds are kept
  private long messages;
  private long egressFree;
  private long bytesSent;
  private long bytesReceived;

  VirtualCommunicator(VirtualCluster cluster, Scheduler scheduler, int rank) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.rank = rank;
    ingress = new Ingress(rank);
  }

  @Override
  public long now() {
    return scheduler.now(rank);
  }

  @Override
  public void sleep(long nanos) {
    if (nanos > 0) {
      long now = now();
      scheduler.advance(rank, nanos > NEVER - now ? NEVER : now + nanos);
    }
  }

  @Override
  public void charge(Work work, long amount) {
    sleep(cost(work, amount));
  }

  @Override
  public long cost(Work work, long amount) {
    return cluster.nanos(rank, work, amount);
  }

  /** Waits until the other ranks have done all that comes before this one's time. */
  void awaitTurn() {
    scheduler.sync(rank);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return cluster.nodes.length;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    beginSending();
    code(Work.ENCODING, message, to, 1);
    transmit(to, message, cluster.payloads.snapshot(message, 1), deadline);
    scheduler.advance(rank, egressFree);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    beginSending();
    code(Work.ENCODING, message, ANY, 1);
    Payload payload = cluster.payloads.snapshot(message, size() - 1);
    for (int to = 0; to < size(); to++) {
      if (to != rank) {
        transmit(to, message, payload, deadline);
      }
    }
    scheduler.advance(rank, egressFree);
  }

  @Override
  public boolean exchange(Message message) {
    if (!cluster.accountsTogether()) {
      return false;
    }
    checkWorld();
    long bytes = HEADER_BYTES + cluster.payloadBytes(message, ANY);
    Exchange exchange = cluster.exchange(generation, bytes);
    int count = exchange.messages();
    code(Work.ENCODING, message, ANY, count);
    long start = Math.max(now(), egressFree);
    long up = cluster.network.up(rank, bytes, start);
    exchange.enter(rank, start, up);
    egressFree = start + count * up;
    bytesSent += count * bytes;
    bytesReceived += (count - 1) * bytes; // One more with the message that stands for all.
    if (exchange.isComplete()) {
      end(exchange, message);
    }
    scheduler.advance(rank, egressFree);
    return true;
  }

  private void end(Exchange exchange, Message message) {
    int[] workers = exchange.workers();
    Payload payload = cluster.payloads.snapshot(message, workers.length);
    for (int place = 0; place < workers.length; place++) {
      VirtualCommunicator worker = cluster.nodes[workers[place]];
      long end = exchange.end(place, cluster.network);
      worker.messages++;
      MessageInTransit.Transit transit =
          new MessageInTransit.Transit(
              worker.rank, scheduler.moment(rank), end, 0, worker.messages);
      worker.deliver(new MessageInTransit(message, payload, transit, generation));
    }
  }

  /** Takes the time of coding some messages. A slice that is passed on has been encoded before. */
  private void code(Work work, Message message, int to, int count) {
    long entries = count * cluster.codedEntries(message, to);
    if (entries > 0 && (work == Work.DECODING || message.kind() != Message.Kind.SLICE)) {
      charge(work, entries);
    }
  }

  /** Messages of earlier generations are dropped from now on. */
  void enter(int generation) {
    this.generation = generation;
  }

  /** Messages enter a trunk in the order of time. */
  private void beginSending() {
    if (cluster.network.hasTrunks()) {
      awaitTurn();
    }
    checkWorld();
  }

  private void checkWorld() {
    VirtualGenerations generations = cluster.generations;
    if (generations.worldEnds(rank) <= now()) {
      throw new LostException(generations.cause(rank));
    }
  }

  /**
   * Puts a message on this node's link, behind those that are there. Other ranks may be behind in
   * time, so {@link Message} decides which message comes first, not the order of these calls.
   */
  private void transmit(int to, Message message, Payload payload, long deadline) {
    long size = cluster.payloadBytes(message, to);
    awaitRoom(to, size, deadline);
    long bytes = HEADER_BYTES + size;
    boolean takesTime = cluster.takesTime(rank, to);
    Network network = cluster.network;
    long start = takesTime ? Math.max(now(), egressFree) : now();
    long up = takesTime ? network.up(rank, bytes, start) : 0;
    if (start + up > deadline) {
      throw new EngineException(
          "rank %d does not take a message of %d bytes before the deadline".formatted(to, bytes));
    }
    egressFree = Math.max(egressFree, start + up);
    bytesSent += bytes;
    long leaves = cluster.hold.until(rank, message.kind(), start);
    long down = takesTime ? network.down(to, bytes, leaves) : 0;
    MessageInTransit.Transit transit =
        new MessageInTransit.Transit(
            rank,
            scheduler.moment(rank),
            takesTime ? network.arrives(rank, to, bytes, leaves, up, down, messages) : leaves,
            down,
            messages++);
    if (round != null && round.hasSent(transit.number())) {
      payload.release(); // It has arrived, or is in transit.
    } else {
      cluster.nodes[to].deliver(new MessageInTransit(message, payload, transit, generation));
    }
  }

  /**
   * Waits until the receiver has taken enough of what this rank has sent. A receiver that has ended
   * takes nothing more, and nobody waits for it.
   */
  private void awaitRoom(int to, long size, long deadline) {
    Moment then = round == null ? null : round.sentAt(messages);
    if (then != null) {
      scheduler.put(rank, then);
    }
    if (round != null && round.hasSent(messages)) {
      return;
    }
    boolean waited = false;
    VirtualGenerations generations = cluster.generations;
    Ingress there = cluster.nodes[to].ingress;
    while (!there.admits(rank, generation, size, cluster.payloadBytes(1))
        && now() < deadline
        && !generations.hasFinished(to)) {
      waited = true;
      awaited = NOBODY;
      awaitsRoomAt = to;
      long end = Math.min(deadline, generations.worldEnds(rank));
      scheduler.await(rank, new Moment(end, rank));
      awaitsRoomAt = NOBODY;
      checkWorld();
    }
    if (waited && round != null && rank != MASTER) {
      round.sent(scheduler.moment(rank), messages);
    }
  }

  /** Wakes {@code source} if it waits until this rank takes what it has sent. */
  void letIn(int source) {
    if (cluster.nodes[source].awaitsRoomAt == rank) {
      scheduler.wakeBy(source, scheduler.moment(rank));
    }
  }

  @Override
  public int room(int length) {
    return Communicator.window(
        (int) Math.min(Integer.MAX_VALUE, cluster.payloadBytes(length) / Float.BYTES));
  }

  @Override
  public int lastReceived() {
    return lastReceived;
  }

  @Override
  public void hold(int source, int floats, boolean held) {
    if (!held && (round == null || !round.repeats())) {
      awaitTurn(); // Or a rank that is behind in time would send before there was room.
    }
    ingress.count(source, generation, floats, held ? 1 : -1);
    letIn(source);
  }

  /** The rank has nothing under way. */
  void begin() {
    if (round == null) {
      round = new Round();
    }
    round.begin(place());
  }

  private Round.Place place() {
    return new Round.Place(scheduler.moment(rank), egressFree, messages, bytesSent, bytesReceived);
  }

  /** Whether the rank has neither sent nor received anything since its round began. */
  boolean isAtBeginning() {
    Round.Place begun = round == null ? null : round.begun();
    return begun != null && begun.messages() == messages && begun.bytesReceived() == bytesReceived;
  }

  /** Where this rank's round began, and its messages. */
  ClusterState.Rank state() {
    return new ClusterState.Rank(
        round.begun(),
        messages,
        ingress.free(),
        List.copyOf(ingress.coming()),
        List.copyOf(ingress.arriving()),
        events());
  }

  /** Those of the round; if the rank may send now that has waited, its waiting is the last one. */
  private List<Round.Event> events() {
    List<Round.Event> events = new ArrayList<>(round.events());
    Moment wake = scheduler.wake(rank);
    if (awaitsRoomAt != NOBODY && wake.time() != NEVER) {
      events.add(new Round.Event(wake, null, messages));
    }
    return events;
  }

  /** Puts the rank back to where its round began. */
  void restore(ClusterState.Rank saved) {
    Round.Place place = saved.place();
    scheduler.put(rank, place.now());
    egressFree = place.egressFree();
    messages = place.messages();
    bytesSent = place.bytesSent();
    bytesReceived = place.bytesReceived();
    saved.coming().forEach(ingress::add);
    ingress.restore(saved.ingressFree(), saved.arriving());
    round = new Round();
    round.beginAgain(place, saved.events(), saved.sent());
  }

  private void deliver(MessageInTransit message) {
    ingress.add(message);
    if (awaited == ANY || awaited == message.transit.source()) {
      scheduler.wakeBy(rank, ingress.earliestArrival(message));
    }
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    if (round != null && round.repeats()) {
      return repeat(into);
    }
    awaited = from;
    checkWorld();
    while (true) {
      long end = Math.min(deadline, cluster.generations.worldEnds(rank));
      Moment wake = Moment.earlier(new Moment(end, rank), ingress.nextArrival(from));
      if (wake.time() == NEVER && cluster.generations.isAlone(rank)) {
        throw new LostException("all other ranks have left the run");
      }
      scheduler.await(rank, wake);
      checkWorld();
      MessageInTransit message = ingress.poll(from, scheduler.moment(rank));
      if (message != null) {
        letIn(message.transit.source());
      }
      if (message != null && message.generation < generation) {
        continue; // Of a generation that has ended.
      }
      if (message != null) {
        note(message);
        take(message, into);
        return true;
      }
      if (now() >= deadline) {
        note(null);
        return false;
      }
    }
  }

  private void note(MessageInTransit message) {
    if (round != null && rank != MASTER) {
      round.received(scheduler.moment(rank), message);
    }
  }

  private boolean repeat(Message into) {
    Round.Event event = round.repeat();
    scheduler.put(rank, event.now());
    if (event.message() == null) {
      return false;
    }
    take(event.message(), into);
    return true;
  }

  private void take(MessageInTransit message, Message into) {
    message.into(into);
    lastReceived = into.length();
    bytesReceived += HEADER_BYTES + cluster.payloadBytes(into, rank);
    code(Work.DECODING, into, rank, into.source() == rank ? size() - 2 : 1);
  }

  @Override
  public long bytesSent() {
    return bytesSent;
  }

  @Override
  public long bytesReceived() {
    return bytesReceived;
  }

  @Override
  public void close() {}
}
