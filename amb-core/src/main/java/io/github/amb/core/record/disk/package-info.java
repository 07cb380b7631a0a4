/**
 * Logs on the disk: lines that wait while it is full, the end of a long log, and what is set aside.
 */
package io.github.amb.core.record.disk;
