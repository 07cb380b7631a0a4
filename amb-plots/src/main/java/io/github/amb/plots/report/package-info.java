/** One HTML page on some runs, which needs no network. */
package io.github.amb.plots.report;
