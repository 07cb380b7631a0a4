/** The launcher starts one JVM per rank and watches the ranks; a rank's end of the same. */
package io.github.amb.runtime.launch;
