/** Decoded data in files that all processes of a host map into memory. */
package io.github.amb.models.data.cache;
