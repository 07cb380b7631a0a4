/**
 * The virtual cluster: ranks as threads in virtual time under a deterministic scheduler, with costs
 * that are given or replayed from a recorded run.
 */
package io.github.amb.core.sim;
