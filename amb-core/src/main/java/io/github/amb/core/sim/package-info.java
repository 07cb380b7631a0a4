/** The virtual cluster: ranks as threads under a deterministic scheduler in virtual time. */
package io.github.amb.core.sim;
