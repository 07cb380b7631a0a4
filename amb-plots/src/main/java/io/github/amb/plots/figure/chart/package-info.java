/** One panel as a chart: its axes, its marks, and the colors and lines that all panels share. */
package io.github.amb.plots.figure.chart;
