/**
 * The panels of figures of runs: one small class per panel, and {@code Panels}, which lists them
 * all.
 */
package io.github.amb.plots.panel;
