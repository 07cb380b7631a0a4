/**
 * Runs in the files of other programs: ESync's JSON, the Python AMB's CSV, TensorBoard's events.
 */
package io.github.amb.plots.export;
