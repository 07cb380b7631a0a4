/** How fast the virtual cluster is. */
package io.github.amb.bench.sim;
