/**
 * The master's update: sums gradients in rank order, clips, adds weight decay and applies a rule.
 */
package io.github.amb.core.update.master;
