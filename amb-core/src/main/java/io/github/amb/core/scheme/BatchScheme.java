package io.github.amb.core.scheme;

import io.github.amb.core.engine.Uplink;
import io.github.amb.core.scheme.context.BatchPolicy;

/** A scheme whose workers all cut their batches alike. */
abstract class BatchScheme implements Scheme {
  private final BatchPolicy policy;
  private final Uplink uplink;

  /** A scheme whose workers send sums of gradients. */
  BatchScheme(BatchPolicy policy) {
    this(policy, Uplink.GRADIENTS);
  }

  BatchScheme(BatchPolicy policy, Uplink uplink) {
    this.policy = policy;
    this.uplink = uplink;
  }

  @Override
  public final BatchPolicy batchPolicy() {
    return policy;
  }

  @Override
  public Uplink uplink() {
    return uplink;
  }
}
