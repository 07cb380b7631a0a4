/** How fast networks compute gradients, and what partitions cost. */
package io.github.amb.bench.gradient;
