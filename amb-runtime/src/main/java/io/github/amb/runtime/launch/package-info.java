/** Starts one JVM per rank, watches the ranks, and leaves no process behind. */
package io.github.amb.runtime.launch;
