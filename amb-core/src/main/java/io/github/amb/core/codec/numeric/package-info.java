/** The arithmetic of codecs: norms, selections, unbiased rounding and singular vectors. */
package io.github.amb.core.codec.numeric;
