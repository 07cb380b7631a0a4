/**
 * What a codec is written with: its interface, the encoding of one block, bits and bytes of a
 * message.
 */
package io.github.amb.core.codec.block;
