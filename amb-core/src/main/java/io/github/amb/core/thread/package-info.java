/** Threads that end with a cause, and memory that is freed after its last use. */
package io.github.amb.core.thread;
