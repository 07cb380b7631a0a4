/** Accuracy and speed of each run, one row per run, as text, JSON or CSV. */
package io.github.amb.plots.summary;
