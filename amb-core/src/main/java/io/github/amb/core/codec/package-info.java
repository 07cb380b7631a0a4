/** How gradients and parameters are put on the wire: codecs, their messages and their state. */
package io.github.amb.core.codec;
