/** The {@code amb} program and the main class of a rank. */
package io.github.amb.runtime;
