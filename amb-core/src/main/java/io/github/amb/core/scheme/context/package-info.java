/**
 * What a scheme is written with: the verbs of a master and a worker, and what stands behind them.
 */
package io.github.amb.core.scheme.context;
