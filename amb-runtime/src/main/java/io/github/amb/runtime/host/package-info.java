/**
 * The hosts of a run: their names and addresses, how to start programs on them, and what each rank
 * gets of one.
 */
package io.github.amb.runtime.host;
