package io.github.amb.models.data.source;

import io.github.amb.core.file.AtomicFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Extracts requested files from a {@code .tar.gz} archive. Only requested names are written, and
 * only to the given paths.
 */
public final class TarGz {
  private TarGz() {}

  /**
   * Extracts files.
   *
   * @param targets path of each file, by file name without folders
   * @throws IOException if the archive is malformed or lacks a file
   */
  public static void extract(Path archive, Map<String, Path> targets) throws IOException {
    int missing = targets.size();
    try (var in =
        new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16))) {
      while (missing > 0) {
        ArchiveEntry entry = in.getNextEntry();
        if (entry == null) {
          throw new EOFException("the archive lacks files that it should have");
        }
        Path target = targets.get(entry.getName().replaceAll(".*/", ""));
        if (target != null) {
          AtomicFile.ATOMIC.create(target, part -> Files.copy(in, part));
          missing--;
        }
      }
    } catch (IOException e) {
      throw new IOException(archive + ": " + e.getMessage(), e);
    }
  }
}
