/** Each rank's time by activity, step by step: as a figure, and as a trace for a trace viewer. */
package io.github.amb.plots.timeline;
