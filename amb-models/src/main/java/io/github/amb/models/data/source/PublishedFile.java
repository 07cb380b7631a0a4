package io.github.amb.models.data.source;

/**
 * A file as its authors publish it.
 *
 * @param name file name without {@code .gz}
 * @param gzipSha256 SHA-256 of the published gzip file; null if the plain file is published
 * @param gzipLength bytes of the published gzip file; 0 if the plain file is published
 * @param plainSha256 SHA-256 of the uncompressed content; null if none is published
 */
public record PublishedFile(String name, String gzipSha256, long gzipLength, String plainSha256) {
  public boolean matches(String sha256) {
    return sha256.equals(gzipSha256) || sha256.equals(plainSha256);
  }
}
