/** One writer for each run directory, also where the file system has no locks. */
package io.github.amb.runtime.lock;
