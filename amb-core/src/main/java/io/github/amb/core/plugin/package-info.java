/**
 * Services: what a user can name, with the texts that explain it, and how a jar adds to it.
 *
 * <p>A jar lists its implementations of {@link io.github.amb.core.plugin.Plugin} in {@code
 * META-INF/services/io.github.amb.core.plugin.Plugin}. Our own modules do the same.
 */
package io.github.amb.core.plugin;
