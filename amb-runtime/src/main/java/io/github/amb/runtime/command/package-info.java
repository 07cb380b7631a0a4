/**
 * Commands of the {@code amb} program: their options, help and terminal; and what all its processes
 * share: plugins, the directory, limits, texts of failures.
 */
package io.github.amb.runtime.command;
