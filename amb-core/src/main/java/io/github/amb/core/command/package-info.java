/** The commands of the {@code amb} program, found on the class path. */
package io.github.amb.core.command;
