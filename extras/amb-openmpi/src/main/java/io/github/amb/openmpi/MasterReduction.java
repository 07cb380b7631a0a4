package io.github.amb.openmpi;

import io.github.amb.core.engine.Message;

/** The master's part in a {@link Reduction}: it receives slices of the sum and joins them. */
final class MasterReduction extends Reduction {
  private final MpiPayloadPool pool;
  private final int workers;
  private MpiPayload total;
  private int contributors;
  private int flawedRank;
  private int flawedAt;

  MasterReduction(Requests requests, MpiPayloadPool pool, int size) {
    super(requests, size, size - 1);
    this.pool = pool;
    workers = size - 1;
  }

  /**
   * Records that a worker has contributed.
   *
   * @param source rank of the worker
   * @param length length of its vector
   * @return whether it is the last worker, whose message gets the sum
   */
  boolean contributed(int source, int length) {
    agree(source, length);
    contributors++;
    return contributors == workers;
  }

  @Override
  int sliceFrom(int source) {
    return source;
  }

  @Override
  MpiPayload room(int source, int length) {
    if (total == null) {
      total = pool.take(slices().length(), false);
    }
    return total;
  }

  @Override
  int offset(int slice) {
    return slices().begin(slice);
  }

  /** Keeps the first non-finite entry of all slices. */
  @Override
  void note(MpiHeader head) {
    boolean earlier = flawedRank == 0 || head.flawedAt() < flawedAt;
    if (head.flawedRank() > 0 && earlier) {
      flawedRank = head.flawedRank();
      flawedAt = head.flawedAt();
    }
  }

  /** Makes the sum the payload of the last contributor's message. */
  void handTo(Message message) {
    message.borrow(total, slices().length());
    message.nonFiniteFrom(flawedRank);
    total = null;
    contributors = 0;
    flawedRank = 0;
    finished();
  }
}
