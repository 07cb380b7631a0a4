package io.github.amb.openmpi;

import io.github.amb.models.dl4j.Dl4jSetup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.bytedeco.javacpp.Loader;

/**
 * The native code of {@link Mpi}, as built with this program.
 *
 * <p>It is not loaded through JavaCPP's cache, which identifies a library by the name, size and
 * time of its jar. These are equal in a build with another MPI.
 */
final class MpiLibrary {
  /** The library's name, from which the system derives that of the file. */
  static final String NAME = "jniAmbMpi";

  private MpiLibrary() {}

  /**
   * Loads the library from a copy in the directory of JavaCPP's cache, from which programs may be
   * run; the copy is deleted afterwards.
   *
   * @throws UnsatisfiedLinkError if the library is not in the build, or its MPI is not on this host
   */
  static void load() {
    Dl4jSetup.ensure();
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
