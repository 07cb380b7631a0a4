package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Work;

/** One rank's communicator and clock on the virtual cluster. */
final class VirtualCommunicator implements Communicator, Clock {
  /** Bytes of a frame beside its payload: what the MPJ engine's header takes. */
  static final int HEADER_BYTES = 192;

  private final VirtualCluster cluster;
  private final Scheduler scheduler;
  private final int rank;
  private final Ingress ingress = new Ingress();
  private int awaited;
  private long messages;
  private long egressFree;
  private long bytesSent;
  private long bytesReceived;

  VirtualCommunicator(VirtualCluster cluster, Scheduler scheduler, int rank) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.rank = rank;
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
    sleep(cluster.nanos(rank, work, amount));
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
    scheduler.sync(rank);
    transmit(to, frame, cluster.payloads().snapshot(frame, 1), deadline);
    scheduler.advance(rank, egressFree);
  }

  @Override
  public void broadcast(Frame frame, long deadline) {
    scheduler.sync(rank);
    Payload payload = cluster.payloads().snapshot(frame, size() - 1);
    for (int to = 0; to < size(); to++) {
      if (to != rank) {
        transmit(to, frame, payload, deadline);
      }
    }
    scheduler.advance(rank, egressFree);
  }

  /** Puts a frame on this node's link, behind what is there already. */
  private void transmit(int to, Frame frame, Payload payload, long deadline) {
    long bytes = HEADER_BYTES + cluster.payloadBytes(frame.length());
    long duration = cluster.transmission(bytes);
    long start = Math.max(now(), egressFree);
    if (start + duration > deadline) {
      throw new EngineException(
          "rank %d does not take a frame of %d bytes before the deadline".formatted(to, bytes));
    }
    egressFree = start + duration;
    bytesSent += bytes;
    cluster.node(to).deliver(frame, rank, payload, start + cluster.latency(), duration);
  }

  private void deliver(Frame frame, int source, Payload payload, long first, long duration) {
    Message message = new Message(frame, source, payload, first, duration, messages++);
    ingress.add(message);
    if (awaited == ANY || awaited == source) {
      scheduler.wakeBy(rank, ingress.earliestArrival(message));
    }
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    scheduler.sync(rank);
    awaited = from;
    while (true) {
      Message message = ingress.poll(from, now());
      if (message != null) {
        message.into(into);
        bytesReceived += HEADER_BYTES + cluster.payloadBytes(into.length());
        return true;
      }
      if (now() >= deadline) {
        return false;
      }
      scheduler.await(rank, Math.min(deadline, ingress.nextArrival(from)));
    }
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
