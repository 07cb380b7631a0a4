/** A training run: checked settings, the run directory, and the ranks that train. */
package io.github.amb.runtime.train;
