/** A training run: checked, laid out as a run directory, and carried out by ranks. */
package io.github.amb.runtime.train;
