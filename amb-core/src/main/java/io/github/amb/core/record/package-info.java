/** The records of a run, as JSON Lines in a run directory: writing and reading. */
package io.github.amb.core.record;
