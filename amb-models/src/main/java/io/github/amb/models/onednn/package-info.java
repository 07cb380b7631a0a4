/**
 * Gradients with oneDNN: networks as chains of its primitives, kept for each number of examples.
 */
package io.github.amb.models.onednn;
