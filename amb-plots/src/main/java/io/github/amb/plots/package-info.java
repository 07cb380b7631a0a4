/**
 * Figures and summaries from run directories; what other modules call is {@code Figures} and {@code
 * Summary}.
 */
package io.github.amb.plots;
