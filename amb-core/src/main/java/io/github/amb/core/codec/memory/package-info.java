/**
 * What a codec remembers between messages: residuals and velocities. It depends on the interface of
 * codecs.
 */
package io.github.amb.core.codec.memory;
