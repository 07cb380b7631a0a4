/** Checkpoints: their content, atomic writing, and reading. */
package io.github.amb.runtime.checkpoint;
