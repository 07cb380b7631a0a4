/** Schemes: who waits for whom, and when the master updates. */
package io.github.amb.core.scheme;
