/**
 * Panels drawn on one page with one legend, as PNG, SVG or CSV; the same input gives the same
 * bytes.
 */
package io.github.amb.plots.figure;
