/** Trained networks as files of other programs, of {@code models.graph}. */
package io.github.amb.models.export;
