package io.github.amb.core.record;

/**
 * A worker's result that arrived late and was not used, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, when the result arrived
 * @param step updates applied when it arrived
 * @param rank the worker
 * @param numSamples number of examples in the result
 * @param staleness updates applied since the parameters at which it was computed
 */
public record DropRecord(double time, long step, int rank, long numSamples, long staleness)
    implements LogRecord {}
