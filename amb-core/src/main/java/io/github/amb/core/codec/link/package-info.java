/**
 * The layer between scheme and engine that encodes and decodes messages. It depends on the
 * interface of codecs, and knows none of them but the plain one.
 */
package io.github.amb.core.codec.link;
