/**
 * Where published data comes from: files in directories, downloads and archives, with checksums.
 */
package io.github.amb.models.data.source;
