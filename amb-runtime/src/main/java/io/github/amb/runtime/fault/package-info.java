/** Injected faults, and the treatment of non-finite results. */
package io.github.amb.runtime.fault;
