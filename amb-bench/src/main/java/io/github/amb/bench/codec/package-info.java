/** Speed, size and statistics of gradient codecs. */
package io.github.amb.bench.codec;
