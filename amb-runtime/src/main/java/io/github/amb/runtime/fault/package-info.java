/** Injected faults, the messages and disks that have them. */
package io.github.amb.runtime.fault;
