package io.github.amb.core.record;

/**
 * A worker's result that came too late and was not used, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, when the result arrived
 * @param step updates applied when it arrived
 * @param rank the worker
 * @param numSamples examples in the result
 * @param staleness updates applied since the parameters it was computed at
 */
public record DropRecord(double time, long step, int rank, long numSamples, long staleness)
    implements LogRecord {}
