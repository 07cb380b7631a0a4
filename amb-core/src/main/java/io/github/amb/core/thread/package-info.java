/** Threads whose failures are handled, and memory that is freed after its last use. */
package io.github.amb.core.thread;
