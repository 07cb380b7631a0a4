/**
 * Indices, levels, signs and sparse entries, packed into few bits. It depends on the bytes of a
 * message.
 */
package io.github.amb.core.codec.bits;
