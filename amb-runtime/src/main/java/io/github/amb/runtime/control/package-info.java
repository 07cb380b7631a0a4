/** The connection on which a rank and its launcher talk: proofs, typed records, orders. */
package io.github.amb.runtime.control;
