package io.github.amb.core.record;

import java.util.List;

/**
 * A new generation, in {@code master.jsonl}: a worker was excluded or has joined.
 *
 * @param time seconds since the run's first step began
 * @param step updates applied
 * @param generation number of the generation that begins, from 2
 * @param workers ranks of the workers that take part now
 * @param cause how the master noticed that the one before had ended
 * @param discarded examples in results that had come since the last update, and are computed again
 */
public record MembershipRecord(
    double time, long step, int generation, List<Integer> workers, String cause, long discarded)
    implements LogRecord {}
