/** What a run writes down, as JSON Lines in a run directory, and how it is read back. */
package io.github.amb.core.record;
