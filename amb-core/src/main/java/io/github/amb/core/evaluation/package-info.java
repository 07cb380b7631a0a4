/** Evaluation of a run's parameters on test examples. */
package io.github.amb.core.evaluation;
