/**
 * {@code amb experiment}: a matrix of runs from a file, or a search for settings by pure functions
 * of the trials so far, and a report with intervals.
 */
package io.github.amb.runtime.experiment;
