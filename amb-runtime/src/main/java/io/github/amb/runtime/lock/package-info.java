/** One writer for each run directory, even on file systems without locks. */
package io.github.amb.runtime.lock;
