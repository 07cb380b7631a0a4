/**
 * A page on one run, and its numbers for Prometheus, which a small server keeps up to date while
 * the run trains.
 */
package io.github.amb.plots.watch;
