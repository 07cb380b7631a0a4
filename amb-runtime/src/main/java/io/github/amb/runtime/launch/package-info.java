/** Starts one JVM per rank, watches them, and leaves none behind. */
package io.github.amb.runtime.launch;
