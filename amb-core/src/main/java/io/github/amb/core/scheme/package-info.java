/** Schemes: who waits for whom, and when the master updates. One file per scheme. */
package io.github.amb.core.scheme;
