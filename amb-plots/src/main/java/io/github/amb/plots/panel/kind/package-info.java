/** The kinds of panel: curves with bands over seeds, bars, histograms and densities. */
package io.github.amb.plots.panel.kind;
