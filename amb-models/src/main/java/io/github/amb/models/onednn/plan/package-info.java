/**
 * A forward and backward pass as a fixed list of primitives, bound to memory. It depends on
 * primitives.
 */
package io.github.amb.models.onednn.plan;
