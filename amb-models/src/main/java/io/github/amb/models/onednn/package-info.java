/**
 * Gradients with oneDNN: a network's plan, kept for each number of examples. It depends on the
 * packages below.
 */
package io.github.amb.models.onednn;
