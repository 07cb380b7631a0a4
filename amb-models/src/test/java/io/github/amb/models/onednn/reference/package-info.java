/**
 * Networks in double precision, as plain loops, each number with a bound on what rounding to float
 * may do to it.
 */
package io.github.amb.models.onednn.reference;
