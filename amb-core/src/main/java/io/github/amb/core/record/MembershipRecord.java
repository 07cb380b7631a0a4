package io.github.amb.core.record;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;

/**
 * A new generation, in {@code master.jsonl}: a worker was removed or has joined, or a run that had
 * lost workers was resumed with all of them.
 *
 * @param time seconds from the start of the run's first step to the end of the last update
 * @param step updates applied
 * @param generation number of the generation that begins, from 2; 1 after a resume; {@code epoch}
 *     in records of older builds
 * @param workers ranks of the workers in this generation
 * @param cause which ranks failed or joined; if that is not known, how the master detected the end
 *     of the last generation; or that the run was resumed
 * @param discarded examples in results received since the last update, which are computed again
 */
public record MembershipRecord(
    double time,
    long step,
    @JsonAlias("epoch") int generation,
    List<Integer> workers,
    String cause,
    long discarded)
    implements LogRecord {}
