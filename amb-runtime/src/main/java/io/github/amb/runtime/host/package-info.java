/**
 * The hosts of a run: their names, the addresses that they use, and how to start programs on them.
 */
package io.github.amb.runtime.host;
