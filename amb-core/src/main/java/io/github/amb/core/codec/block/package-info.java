/**
 * What a codec is written with: the encoding of one block, the bytes of a message and the codec's
 * random numbers. It depends on the interface of codecs and on nothing else of the packages below
 * it.
 */
package io.github.amb.core.codec.block;
