/** One rank of a run, as a process or as a thread of the virtual cluster. */
package io.github.amb.runtime.train.rank;
