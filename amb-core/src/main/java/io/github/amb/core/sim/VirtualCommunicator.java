package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Work;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** One rank's communicator and clock on the virtual cluster. */
final class VirtualCommunicator implements Communicator, Clock {
  /** Bytes of a frame beside its payload: what the MPJ engine's header takes. */
  static final int HEADER_BYTES = 192;

  /** A frame on its way. */
  private record Message(Frame frame, int source, long arrival) {}

  private final VirtualCluster cluster;
  private final int rank;
  private final Deque<Message> inbox = new ArrayDeque<>();
  private long egressFree;
  private long ingressFree;
  private long bytesSent;
  private long bytesReceived;

  VirtualCommunicator(VirtualCluster cluster, int rank) {
    this.cluster = cluster;
    this.rank = rank;
  }

  @Override
  public long now() {
    return cluster.scheduler().now(rank);
  }

  @Override
  public void sleep(long nanos) {
    if (nanos > 0) {
      cluster.scheduler().sleepUntil(rank, now() + nanos);
    }
  }

  @Override
  public void charge(Work work, long amount) {
    sleep(Clock.nanos(cluster.costs().seconds(work, amount) / cluster.speed(rank)));
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return cluster.size();
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    sleep(transmit(to, frame) - now());
  }

  @Override
  public void broadcast(Frame frame, long deadline) {
    long end = now();
    for (int to = 0; to < size(); to++) {
      if (to != rank) {
        end = transmit(to, frame);
      }
    }
    sleep(end - now());
  }

  /**
   * Puts a frame on the wire behind what is there already; returns when this link is free again.
   */
  private long transmit(int to, Frame frame) {
    long bytes = HEADER_BYTES + (long) Float.BYTES * frame.length();
    long duration = Clock.nanos(bytes / cluster.costs().bandwidth());
    egressFree = Math.max(now(), egressFree) + duration;
    bytesSent += bytes;
    cluster.node(to).deliver(frame, rank, bytes, egressFree, duration);
    return egressFree;
  }

  private void deliver(Frame frame, int source, long bytes, long departure, long duration) {
    long arrival = departure + Clock.nanos(cluster.costs().latency());
    arrival = Math.max(arrival, ingressFree + duration);
    ingressFree = arrival;
    bytesReceived += bytes;
    inbox.add(new Message(copy(frame, source), source, arrival));
    cluster.scheduler().wakeBy(rank, arrival);
  }

  private static Frame copy(Frame frame, int source) {
    Frame copy = new Frame().reset(frame.kind(), frame.step());
    copy.source(source);
    copy.examples(frame.examples());
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      copy.stat(i, frame.stat(i));
    }
    System.arraycopy(frame.values(), 0, copy.ensureCapacity(frame.length()), 0, frame.length());
    return copy;
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    while (true) {
      Message first = earliest(from);
      if (first != null && first.arrival() <= now()) {
        inbox.remove(first);
        take(first.frame(), into);
        return true;
      }
      if (now() >= deadline) {
        return false;
      }
      long wake = first == null ? deadline : Math.min(deadline, first.arrival());
      cluster.scheduler().awaitMessage(rank, wake);
    }
  }

  private Message earliest(int from) {
    Iterator<Message> messages = inbox.iterator();
    while (messages.hasNext()) {
      Message message = messages.next();
      if (from == ANY || message.source() == from) {
        return message;
      }
    }
    return null;
  }

  private static void take(Frame from, Frame into) {
    into.reset(from.kind(), from.step());
    into.source(from.source());
    into.examples(from.examples());
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      into.stat(i, from.stat(i));
    }
    into.exchange(from.values(), from.length());
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
  public void close() {
    inbox.clear();
  }
}
