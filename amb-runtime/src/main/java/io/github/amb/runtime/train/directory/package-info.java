/**
 * What a run leaves behind: its directory with name, identity, records and end, or memory alone. A
 * resumed run reads it.
 */
package io.github.amb.runtime.train.directory;
