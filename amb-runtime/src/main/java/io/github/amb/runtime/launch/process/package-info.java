/** The processes of a run: command lines, start, output, signals and end. */
package io.github.amb.runtime.launch.process;
