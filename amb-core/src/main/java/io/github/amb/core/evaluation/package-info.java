/** When and on what a run's parameters are evaluated. */
package io.github.amb.core.evaluation;
