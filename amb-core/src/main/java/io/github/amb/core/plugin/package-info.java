/**
 * Services: entries that a user can name, the texts that explain them, and their addition by jars.
 *
 * <p>A jar lists its implementations of {@link io.github.amb.core.plugin.Plugin} in {@code
 * META-INF/services/io.github.amb.core.plugin.Plugin}. This program's modules do the same.
 */
package io.github.amb.core.plugin;
