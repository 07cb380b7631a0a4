package io.github.amb.runtime.launch;

/**
 * A process of a rank.
 *
 * @param rank the rank's number in the run
 * @param number how often the rank was started before; counts the replacements of the run
 */
record RankId(int rank, int number) {}
