package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.BatchPolicy;

/**
 * Fixed Mini-Batch with Delayed Gradients (FMB-DG), or K-batch asynchronous SGD: as {@link
 * AmbDelayedGradient}, but a worker computes a batch of B examples in place of a time T. The
 * opponent of AMB-DG in its paper.
 *
 * <p>Dutta, Joshi, Ghosh, Dube, Nagpurkar: "Slow and Stale Gradients Can Win the Race", AISTATS
 * 2018.
 */
final class FmbDelayedGradient extends AmbDelayedGradient {
  FmbDelayedGradient(SchemeOptions options) {
    super(options, BatchPolicy.fixed(options.batchSize()));
  }
}
