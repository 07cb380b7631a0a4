/** The layer between scheme and engine that encodes and decodes messages. */
package io.github.amb.core.codec.link;
