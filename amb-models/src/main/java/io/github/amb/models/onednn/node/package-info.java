/**
 * The kinds of layer as nodes of a network's graph, each of which adds its primitives to a plan. It
 * depends on plans.
 */
package io.github.amb.models.onednn.node;
