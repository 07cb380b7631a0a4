/**
 * Contracts of what can be added to the program, as JUnit tests. The test of a plugin extends the
 * contract of its kind.
 */
package io.github.amb.testing;
