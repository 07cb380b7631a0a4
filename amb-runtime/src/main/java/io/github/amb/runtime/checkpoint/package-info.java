/** Checkpoints: the state of all ranks, atomic writing, and reading. */
package io.github.amb.runtime.checkpoint;
