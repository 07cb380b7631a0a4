/** Evaluates the checkpoints of a run, after it or while it trains. */
package io.github.amb.runtime.evaluate;
