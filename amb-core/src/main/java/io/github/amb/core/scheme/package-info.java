/**
 * Schemes: who waits for whom, and when the master updates. One file per scheme, written in the
 * verbs of {@code context}; what only one scheme needs beside its loops is in {@code part}.
 */
package io.github.amb.core.scheme;
