/**
 * Panels drawn on one page with one legend, as PNG, SVG or CSV; the same input gives the same
 * bytes. Only a PNG's pixels depend on the version of Java, which smooths edges in its own way: a
 * few in a hundred thousand have another shade.
 */
package io.github.amb.plots.figure;
