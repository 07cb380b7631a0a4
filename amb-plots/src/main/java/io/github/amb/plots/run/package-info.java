/** Runs as the figures and summaries see them: loaded, labeled, and grouped over seeds. */
package io.github.amb.plots.run;
