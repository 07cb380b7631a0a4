/** {@code amb bench}: the list of benchmarks, and the command that runs one. */
package io.github.amb.bench;
