package io.github.amb.core.codec.link;

import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.UpdateHook;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Divides every entry that a worker has sent by its own staleness. That is the number of updates
 * since the worker's parameters whose gradients had that entry, at least 1. With plain SGD this
 * divides the learning rate entry by entry.
 *
 * <p>Updates are counted per entry. The counts are saved when parameters are sent, so a message of
 * k entries costs O(k) however stale it is. A message that a scheme drops counts with the worker's
 * next one.
 *
 * <p>Hardy, Le Merrer, Sericola: "Distributed Deep Learning on Edge-Devices: Feasibility via
 * Adaptive Compression", IEEE NCA 2017.
 */
public final class Staleness implements UpdateHook, Checkpointed {
  private final int size;
  private final int[] updates;
  private final int[] lastUpdate;
  private Entries[] pending;
  private Deque<Snapshot>[] sent;
  private final Deque<Snapshot> free = new ArrayDeque<>();
  private int update;

  /** The counts of updates at the time parameters were sent. */
  private static final class Snapshot {
    final int[] updates;
    long step;

    Snapshot(int size) {
      updates = new int[size];
    }
  }

  /** The entries of the flat vector that a worker has sent since its last update. */
  private static final class Entries {
    int[] indices = {};
    int count;

    long[] state() {
      return Arrays.stream(indices, 0, count).asLongStream().toArray();
    }

    void restore(long[] entries) {
      indices = Arrays.stream(entries).mapToInt(entry -> (int) entry).toArray();
      count = indices.length;
    }

    void add(int[] block, int size, int offset) {
      if (indices.length < count + size) {
        indices = Arrays.copyOf(indices, Math.max(count + size, 2 * indices.length));
      }
      for (int i = 0; i < size; i++) {
        indices[count++] = offset + block[i];
      }
    }
  }

  /**
   * @param layout of the vectors
   */
  Staleness(Layout layout) {
    size = layout.size();
    updates = new int[size];
    lastUpdate = new int[size];
  }

  /**
   * Starts all counts at 0, as a generation begins.
   *
   * @param ranks number of ranks, master included
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
  void start(int ranks) {
    update = 0;
    Arrays.fill(updates, 0);
    Arrays.fill(lastUpdate, 0);
    pending = new Entries[ranks];
    Arrays.setAll(pending, rank -> new Entries());
    sent = new Deque[ranks];
    Arrays.setAll(sent, rank -> new ArrayDeque<>());
  }

  @Override
  public void visit(StateVisitor state) {
    update = (int) state.integer("update", update);
    visit("updates", updates, state);
    visit("last", lastUpdate, state);
    for (int rank = 1; rank < sent.length; rank++) {
      long[] entries = state.anyIntegers("entries-" + rank, pending[rank].state());
      pending[rank].restore(entries);
      long[] snapshots = state.anyIntegers("sent-" + rank, differences(sent[rank]));
      restore(snapshots, sent[rank]);
    }
  }

  private static void visit(String name, int[] counts, StateVisitor state) {
    long[] all = Arrays.stream(counts).asLongStream().toArray();
    state.integers(name, all);
    Arrays.setAll(counts, i -> (int) all[i]);
  }

  /**
   * Snapshots as what differs from the counts now: each one's step, the number of differences, then
   * place and count of each.
   */
  private long[] differences(Deque<Snapshot> snapshots) {
    LongStream.Builder all = LongStream.builder();
    for (Snapshot snapshot : snapshots) {
      int[] places =
          IntStream.range(0, size).filter(i -> snapshot.updates[i] != updates[i]).toArray();
      all.add(snapshot.step).add(places.length);
      for (int place : places) {
        all.add(place).add(snapshot.updates[place]);
      }
    }
    return all.build().toArray();
  }

  private void restore(long[] differences, Deque<Snapshot> snapshots) {
    free.addAll(snapshots);
    snapshots.clear();
    int next = 0;
    while (next < differences.length) {
      Snapshot snapshot = free.isEmpty() ? new Snapshot(size) : free.pop();
      snapshot.step = differences[next];
      System.arraycopy(updates, 0, snapshot.updates, 0, size);
      int end = next + 2 + 2 * (int) differences[next + 1];
      for (next += 2; next < end; next += 2) {
        snapshot.updates[(int) differences[next]] = (int) differences[next + 1];
      }
      snapshots.add(snapshot);
    }
  }

  /** Saves the counts, as parameters of {@code step} are being sent to {@code rank}. */
  void sent(int rank, long step) {
    Snapshot snapshot = free.isEmpty() ? new Snapshot(size) : free.pop();
    snapshot.step = step;
    System.arraycopy(updates, 0, snapshot.updates, 0, size);
    sent[rank].add(snapshot);
  }

  /**
   * Divides the decoded entries by their staleness.
   *
   * @param rank the sender
   * @param step step of the parameters at which the gradient was computed
   * @param decoder knows which entries it has just decoded
   * @param values the decoded vector; modified
   * @throws MalformedEncodingException if parameters of this step were not sent to this rank
   */
  void divide(int rank, long step, VectorDecoder decoder, float[] values) {
    int[] then = countsAt(rank, step);
    for (int b = 0; b < decoder.blocks(); b++) {
      if (decoder.has(b) && decoder.codec(b) instanceof SparseBlockCodec sparse) {
        Block block = decoder.block(b);
        int[] indices = sparse.indices();
        for (int i = 0; i < sparse.count(); i++) {
          int entry = block.offset() + indices[i];
          values[entry] /= Math.max(1, updates[entry] - then[entry]);
        }
        pending[rank].add(indices, sparse.count(), block.offset());
      }
    }
  }

  /**
   * Takes note of a gradient without entries: counts of earlier parameters are needed no more.
   *
   * @throws MalformedEncodingException if parameters of this step were not sent to this rank
   */
  void skip(int rank, long step) {
    countsAt(rank, step);
  }

  private int[] countsAt(int rank, long step) {
    Deque<Snapshot> snapshots = sent[rank];
    while (!snapshots.isEmpty() && snapshots.peek().step < step) {
      free.push(snapshots.remove());
    }
    if (snapshots.isEmpty() || snapshots.peek().step != step) {
      throw new MalformedEncodingException("expected a gradient at parameters that were sent");
    }
    return snapshots.peek().updates;
  }

  /** Counts an update for every entry in the messages of its workers. */
  @Override
  public void begin(long step, int[] ranks, int count) {
    update++;
    for (int i = 0; i < count; i++) {
      Entries entries = pending[ranks[i]];
      for (int j = 0; j < entries.count; j++) {
        int entry = entries.indices[j];
        if (lastUpdate[entry] != update) {
          lastUpdate[entry] = update;
          updates[entry]++;
        }
      }
      entries.count = 0;
    }
  }
}
