/** Where each rank's time went, step by step: as a figure, and as a trace for a trace viewer. */
package io.github.amb.plots.timeline;
