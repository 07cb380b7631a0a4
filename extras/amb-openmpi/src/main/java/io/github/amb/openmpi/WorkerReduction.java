package io.github.amb.openmpi;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.update.OrderedSum;
import java.nio.FloatBuffer;

/** A worker's part in a {@link Reduction}: it sums its slice of all workers' vectors. */
final class WorkerReduction extends Reduction {
  private static final int CHUNK = 512;

  private final MpiOutbox outbox;
  private final MpiPayloadPool pool;
  private final int rank;
  private final int workers;
  private final MpiPayload[] parts;
  private final FloatBuffer[] addends;
  private final OrderedSum sum = new OrderedSum(CHUNK);
  private MpiPayload own;
  private int flawedRank;
  private int flawedAt;

  WorkerReduction(Requests requests, MpiOutbox outbox, MpiPayloadPool pool, int rank, int size) {
    super(requests, size, size - 2);
    this.outbox = outbox;
    this.pool = pool;
    this.rank = rank;
    workers = size - 1;
    parts = new MpiPayload[size];
    addends = new FloatBuffer[workers];
  }

  /**
   * Starts to send a message's numbers to the master and its payload to all workers.
   *
   * @param message the message
   * @param payload held until the sum is formed
   */
  void contribute(Message message, MpiPayload payload) {
    int whole = message.length();
    agree(rank, whole);
    outbox.send(Communicator.MASTER, message, MpiHeader.Route.REDUCED, null);
    for (int i = 1; i < workers; i++) {
      int to = 1 + (rank - 1 + i) % workers;
      outbox.sendSlice(to, payload, slices().begin(to), slices().length(to), whole, 0, 0);
    }
    payload.hold();
    own = payload;
  }

  @Override
  int sliceFrom(int source) {
    return rank;
  }

  @Override
  MpiPayload room(int source, int length) {
    parts[source] = pool.take(length, false);
    return parts[source];
  }

  @Override
  int offset(int slice) {
    return 0;
  }

  @Override
  void note(MpiHeader head) {
    // Workers' vectors are checked when they are summed.
  }

  /** Forms the sum, and sends it, when all workers have contributed. */
  @Override
  void advance() {
    super.advance();
    if (own != null && isComplete()) {
      MpiPayload total = form();
      int length = slices().length(rank);
      int whole = slices().length();
      outbox.sendSlice(Communicator.MASTER, total, 0, length, whole, flawedRank, flawedAt);
      total.end();
      finished();
    }
  }

  private MpiPayload form() {
    int length = slices().length(rank);
    MpiPayload total = pool.take(length, true);
    for (int worker = 1; worker <= workers; worker++) {
      addends[worker - 1] =
          worker == rank ? own.range(slices().begin(rank), length) : parts[worker].floats();
    }
    flawedRank = 0;
    for (int start = 0; start < length; start += CHUNK) {
      int count = Math.min(CHUNK, length - start);
      sum.form(addends, workers, start, count);
      if (flawedRank == 0 && !sum.isFinite(count)) {
        look(start, count);
      }
      total.floats().put(start, sum.values(), 0, count);
    }
    release();
    return total;
  }

  /** Finds the first non-finite entry, and the worker that sent it. */
  private void look(int start, int count) {
    for (int i = 0; i < count; i++) {
      if (!Float.isFinite(sum.values()[i])) {
        int k = OrderedSum.nonFinite(addends, workers, start + i);
        float found = addends[k].get(start + i);
        sum.values()[i] = Float.isFinite(found) ? sum.values()[i] : found;
        flawedRank = k + 1;
        flawedAt = slices().begin(rank) + start + i;
        return;
      }
    }
  }

  private void release() {
    for (int worker = 1; worker <= workers; worker++) {
      if (worker != rank) {
        parts[worker].end();
        parts[worker] = null;
      }
    }
    own.end();
    own = null;
  }
}
