/** The panels of figures of runs, one small class each, and their list. */
package io.github.amb.plots.panel;
