/** Runs that other programs wrote down, read as if they were this program's. */
package io.github.amb.plots.foreign;
