/**
 * One rank of a run, as a process or as a thread of the virtual cluster, and the layers of its
 * link.
 */
package io.github.amb.runtime.train.rank;
