/** Named random streams derived from the run's seed. */
package io.github.amb.core.random;
