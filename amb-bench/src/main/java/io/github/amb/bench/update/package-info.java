/** How near updates come to the speed of memory. */
package io.github.amb.bench.update;
