/**
 * {@code amb doctor}: checks whether this machine meets the needs of runs, and says what to do if
 * not.
 */
package io.github.amb.runtime.doctor;
