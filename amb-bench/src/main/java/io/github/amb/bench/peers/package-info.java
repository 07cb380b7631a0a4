/** Gradients per second beside those of other frameworks, each in a process of its own. */
package io.github.amb.bench.peers;
