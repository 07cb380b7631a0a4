package io.github.amb.core.scheme;

/**
 * Options of all schemes; a scheme says which ones it needs.
 *
 * @param batchSize examples per worker and step, B, positive
 * @param ambTimeLimit seconds per step, T, of {@code amb}; null if not given
 * @param ambNumPartitions partitions per batch, P, of {@code amb}; null if not given
 */
public record SchemeOptions(int batchSize, Double ambTimeLimit, Integer ambNumPartitions) {}
