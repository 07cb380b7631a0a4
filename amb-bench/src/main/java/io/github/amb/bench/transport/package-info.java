/** How fast frames travel, next to a raw socket and to MPJ Express' own calls. */
package io.github.amb.bench.transport;
