/**
 * The codecs that have a name, each in a file of its name. They depend on the packages below, which
 * hold what codecs share and what carries their messages.
 */
package io.github.amb.core.codec;
