/** What a scheme asks of a model: parameters in named blocks, gradient sums, evaluation. */
package io.github.amb.core.gradient;
