package io.github.amb.plots.timeline;

/**
 * Some time of a rank.
 *
 * @param rank 0 is the master
 * @param phase what it did
 * @param start seconds since the run's first step began
 * @param end seconds, after start
 * @param step number of the update that it was for
 */
record Span(int rank, Phase phase, double start, double end, long step) {}
