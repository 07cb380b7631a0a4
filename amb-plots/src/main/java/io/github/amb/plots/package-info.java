/** Figures and summaries of run directories. */
package io.github.amb.plots;
