/** The control connection between a rank and its launcher: proofs, typed records, orders. */
package io.github.amb.runtime.control;
