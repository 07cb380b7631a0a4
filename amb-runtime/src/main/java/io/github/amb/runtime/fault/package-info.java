/** Faults that a run meets: those injected on purpose, and what becomes of broken results. */
package io.github.amb.runtime.fault;
