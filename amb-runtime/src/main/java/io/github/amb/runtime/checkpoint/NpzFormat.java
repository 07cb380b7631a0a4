package io.github.amb.runtime.checkpoint;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.state.StateMap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Saved state as NumPy's {@code .npz}: a zip archive of one {@code .npy} per array. */
final class NpzFormat {
  private static final String SUFFIX = ".npy";

  private NpzFormat() {}

  /** Writes all arrays; does not close {@code out}. */
  static void write(OutputStream out, StateMap state) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.NO_COMPRESSION);
    for (Map.Entry<String, Object> entry : state.entries().entrySet()) {
      zip.putNextEntry(new ZipEntry(entry.getKey() + SUFFIX));
      NpyFormat.write(zip, entry.getValue());
      zip.closeEntry();
    }
    zip.finish();
  }

  /**
   * Reads all arrays. They are stored as they are, so that they need no more memory than the file
   * is long.
   *
   * @throws DamagedException if the file is of another format, or expands to more than its length
   * @throws UsageException if Java has not enough memory
   * @throws IOException if it cannot be read
   */
  static StateMap read(Path file) throws IOException {
    StateMap state = new StateMap();
    long left = Files.size(file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (!name.endsWith(SUFFIX)) {
          throw new DamagedException(file + ": expected arrays (.npy), found " + name);
        }
        left -= entry.getSize();
        if (left < 0) {
          throw new DamagedException(
              "%s: expected arrays that are not compressed, found more bytes than the file has at %s"
                  .formatted(file, Printable.printable(name)));
        }
        try (BufferedInputStream in = new BufferedInputStream(zip.getInputStream(entry))) {
          state.put(
              name.substring(0, name.length() - SUFFIX.length()),
              NpyFormat.read(in, file + ": " + name, entry.getSize()));
        }
      }
    } catch (ZipException e) {
      throw new DamagedException(file + ": expected an archive, found " + e.getMessage(), e);
    }
    return state;
  }
}
