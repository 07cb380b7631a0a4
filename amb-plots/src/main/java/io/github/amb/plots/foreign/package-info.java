/** Reads runs of other programs as if they were this program's. */
package io.github.amb.plots.foreign;
