package io.github.amb.bench.compute;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;

/**
 * Connects a master and one worker that are threads of this process. Each direction holds one
 * message. Transmission allocates nothing.
 */
final class MemoryLink {
  private final Slot toMaster = new Slot();
  private final Slot toWorker = new Slot();

  /** The master's end. */
  Communicator master() {
    return new End(0, toMaster, toWorker);
  }

  /** The worker's end. */
  Communicator worker() {
    return new End(1, toWorker, toMaster);
  }

  /** Holds one message in flight. */
  private static final class Slot {
    private final Message message = new Message();
    private boolean full;
    private long bytes;

    synchronized void put(Message source, int rank) {
      await(false);
      copy(source, message);
      message.source(rank);
      bytes += (long) Float.BYTES * source.length();
      full = true;
      notifyAll();
    }

    synchronized void take(Message target) {
      await(true);
      copy(message, target);
      full = false;
      notifyAll();
    }

    private void await(boolean wanted) {
      try {
        while (full != wanted) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EngineException("interrupted while waiting for the other end", e);
      }
    }

    private static void copy(Message source, Message target) {
      target.resetLike(source);
      float[] values = target.ensureCapacity(source.length());
      System.arraycopy(source.values(), 0, values, 0, source.length());
    }

    synchronized long bytes() {
      return bytes;
    }
  }

  /** One end. Deadlines are ignored, as the other end always replies. */
  private record End(int rank, Slot in, Slot out) implements Communicator {
    @Override
    public int size() {
      return 2;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      out.put(message, rank);
    }

    @Override
    public void broadcast(Message message, long deadline) {
      out.put(message, rank);
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      in.take(into);
      return true;
    }

    @Override
    public long bytesSent() {
      return out.bytes();
    }

    @Override
    public long bytesReceived() {
      return in.bytes();
    }

    @Override
    public void close() {
      // The link holds heap memory only.
    }
  }
}
