/** Tests the checkpoints of a run, after the run or while it trains. */
package io.github.amb.runtime.evaluate;
