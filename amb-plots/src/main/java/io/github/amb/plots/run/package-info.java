/** Runs for figures and summaries, our own and those of other programs, in groups of seeds. */
package io.github.amb.plots.run;
