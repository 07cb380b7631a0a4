/** Intervals and averages of what runs have measured. */
package io.github.amb.core.statistic;
