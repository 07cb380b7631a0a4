/**
 * Draws panels on one page with one legend, as PNG, SVG, PDF or CSV, and each rank's time by
 * activity. The same input gives the same bytes, except a PNG's: Java versions smooth edges
 * differently, so that a few pixels in a hundred thousand differ.
 */
package io.github.amb.plots.figure;
