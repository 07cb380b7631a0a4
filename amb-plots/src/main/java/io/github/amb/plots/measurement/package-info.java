/** Figures of measurements by {@code amb bench} and by older programs. */
package io.github.amb.plots.measurement;
