/** The state of ranks between two steps: collected by the master, and resumed from. */
package io.github.amb.runtime.checkpoint.state;
