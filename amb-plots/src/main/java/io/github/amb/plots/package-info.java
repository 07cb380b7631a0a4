/**
 * Figures and summaries of run directories. Other modules call {@code Figures} and {@code Summary}.
 */
package io.github.amb.plots;
