package io.github.amb.openmpi;

import io.github.amb.core.engine.Frame;

/** The master's part in a {@link Reduction}: it takes slices of the sum and puts them together. */
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
   * Notes that a worker has contributed.
   *
   * @param length of its vector
   * @return whether it is the last one, whose frame gets the sum
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

  /** Keeps the first entry of all slices that is not finite. */
  @Override
  void note(MpiHeader head) {
    boolean earlier = flawedRank == 0 || head.flawedAt() < flawedAt;
    if (head.flawedRank() > 0 && earlier) {
      flawedRank = head.flawedRank();
      flawedAt = head.flawedAt();
    }
  }

  /** Makes the sum the payload of the last contributor's frame. */
  void handTo(Frame frame) {
    frame.borrow(total, slices().length());
    frame.stat(Frame.NON_FINITE_FROM, flawedRank);
    total = null;
    contributors = 0;
    flawedRank = 0;
    finished();
  }
}
