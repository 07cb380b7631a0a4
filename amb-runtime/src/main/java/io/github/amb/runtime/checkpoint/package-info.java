/**
 * Checkpoints: what is in one, writing it so that a crash never leaves half of one, and reading it.
 */
package io.github.amb.runtime.checkpoint;
