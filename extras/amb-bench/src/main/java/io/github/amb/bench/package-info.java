/**
 * {@code amb bench}: the list of benchmarks, the command that runs one, and those of whole runs and
 * beside other frameworks, each in a separate process.
 */
package io.github.amb.bench;
