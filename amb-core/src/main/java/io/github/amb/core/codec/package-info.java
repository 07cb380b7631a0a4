/**
 * The codecs by name, each in a file of its name, with their error feedback, momentum and sketches.
 */
package io.github.amb.core.codec;
