/**
 * The tables, planes and quantiles with which sketches are encoded. It depends on the bytes of a
 * message and on packed levels.
 */
package io.github.amb.core.codec.sketch;
