/** What a step of a scheme allocates. */
package io.github.amb.bench.allocation;
