/** The state that a rank keeps between steps, which checkpoints save and restore. */
package io.github.amb.core.state;
