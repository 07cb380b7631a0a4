package io.github.amb.core.record;

/**
 * How the master gathered one update, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, at the end of the collection: the last
 *     gradient was received, or a time limit of the scheme has passed
 * @param step number of the update, from 1
 * @param workerCount number of gradients in the update
 * @param waitTime seconds from the first gradient's arrival to the end of the collection
 * @param totalSamples number of examples in the gradients; with {@code coded} each counts once per
 *     worker that computed it
 */
public record CollectRecord(
    double time, long step, int workerCount, double waitTime, long totalSamples)
    implements LogRecord {}
