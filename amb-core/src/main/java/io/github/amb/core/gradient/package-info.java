/**
 * The interface between a scheme and a model: named parameter blocks, gradient sums, evaluation.
 */
package io.github.amb.core.gradient;
