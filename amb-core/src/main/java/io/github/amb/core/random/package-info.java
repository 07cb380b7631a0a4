/** Named random streams derived from the run's seed, and those of a codec. */
package io.github.amb.core.random;
