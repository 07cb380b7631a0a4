/** Intervals and averages of the measurements of runs. */
package io.github.amb.core.statistic;
