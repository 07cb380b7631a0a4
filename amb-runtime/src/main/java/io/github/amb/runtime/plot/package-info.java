/** The commands {@code amb plot} and {@code amb summarize}. */
package io.github.amb.runtime.plot;
