package io.github.amb.plots.figure;

/**
 * A span of time of a rank.
 *
 * @param rank 0 is the master
 * @param phase its activity
 * @param start seconds since the run's first step began
 * @param end seconds since the run's first step began, after {@code start}
 * @param step number of the update that the activity was for
 */
public record Span(int rank, Phase phase, double start, double end, long step) {}
