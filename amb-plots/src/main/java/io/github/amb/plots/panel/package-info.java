/**
 * What can be drawn of runs: one small class per panel, and {@code Panels}, which names them all.
 */
package io.github.amb.plots.panel;
