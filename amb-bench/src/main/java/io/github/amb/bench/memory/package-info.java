/** How much memory the processes of a real run take. */
package io.github.amb.bench.memory;
