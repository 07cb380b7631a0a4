package io.github.amb.openmpi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.bytedeco.javacpp.Loader;

/**
 * The native code of {@link Mpi}, as it is in the build of this program.
 *
 * <p>It is not loaded from JavaCPP's cache, which knows a library by the name of its jar, its size
 * and its time: those of a build against another MPI are the same.
 */
final class MpiLibrary {
  /** Its name, from which the system makes that of a file. */
  static final String NAME = "jniAmbMpi";

  private MpiLibrary() {}

  /**
   * Loads it from a copy that has no name afterwards, in the directory of JavaCPP's cache, from
   * which programs may be run.
   *
   * @throws UnsatisfiedLinkError if it is not in the build, or the MPI it needs is not on this host
   */
  static void load() {
    String file = System.mapLibraryName(NAME);
    try (InputStream in = Mpi.class.getResourceAsStream(Loader.getPlatform() + "/" + file)) {
      if (in == null) {
        throw new UnsatisfiedLinkError("no " + file + " for " + Loader.getPlatform());
      }
      Path copy = Files.createTempFile(Loader.getCacheDir().toPath(), NAME, file);
      try {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        System.load(copy.toString());
      } finally {
        Files.delete(copy);
      }
    } catch (IOException e) {
      throw new UnsatisfiedLinkError(file + " cannot be loaded: " + e);
    }
  }
}
