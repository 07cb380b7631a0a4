/** How long a data set takes to load, and how much memory. */
package io.github.amb.bench.load;
