/** Commands of the {@code amb} program: their options, help and terminal. */
package io.github.amb.runtime.command;
