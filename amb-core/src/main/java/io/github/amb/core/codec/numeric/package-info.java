/**
 * The arithmetic of codecs: norms, selections, unbiased rounding and singular vectors. It depends
 * on the shapes of blocks.
 */
package io.github.amb.core.codec.numeric;
