/**
 * Gradients with oneDNN: a network's graph, and a plan of primitives for each number of examples.
 */
package io.github.amb.models.onednn;
