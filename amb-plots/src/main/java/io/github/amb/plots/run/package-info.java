/** Runs for figures and summaries: reading, labels, and groups of runs that differ in seed. */
package io.github.amb.plots.run;
