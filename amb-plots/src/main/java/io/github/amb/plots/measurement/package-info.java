/** Figures of what {@code amb bench} measured, and of the same measurements by older programs. */
package io.github.amb.plots.measurement;
