package io.github.amb.runtime.launch;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The MPJ_HOME of ranks, in which MPI.Init looks for a file. It is this program's directory, which
 * has the same path on every host, or a temporary one if the program runs from class files.
 */
final class MpjHome implements AutoCloseable {
  /** System property: directory of this program. */
  private static final String PROPERTY = "amb.home";

  private static final String CONF_DIRECTORY = "conf";
  private static final String CONF = "mpjexpress.conf";

  final Path path;
  private final boolean temporary;

  MpjHome() throws IOException {
    Path own = Path.of(System.getProperty(PROPERTY, "")).toAbsolutePath().normalize();
    temporary = !Files.isReadable(conf(own));
    path = temporary ? SharedPlace.fresh("amb-mpj-") : own;
    if (temporary) {
      Files.createDirectory(path.resolve(CONF_DIRECTORY));
      try (InputStream in = MpjHome.class.getResourceAsStream(CONF)) {
        Files.copy(in, conf(path));
      }
    }
  }

  private static Path conf(Path home) {
    return home.resolve(CONF_DIRECTORY).resolve(CONF);
  }

  /** Removes a temporary directory. */
  @Override
  public void close() throws IOException {
    if (temporary) {
      Disk.REAL.delete(path);
    }
  }
}
