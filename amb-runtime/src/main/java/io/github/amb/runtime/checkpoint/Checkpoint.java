package io.github.amb.runtime.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.amb.core.state.StateMap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A checkpoint on disk, whose checksums have been found right: a directory with {@code
 * manifest.json}, {@code parameters.npy}, {@code master.npz} and a {@code worker-<rank>.npz} per
 * worker. The best one has parameters alone.
 */
public final class Checkpoint {
  static final String PARAMETERS = "parameters.npy";
  static final String MASTER = "master.npz";

  private final Path path;
  private final Manifest manifest;

  private Checkpoint(Path path, Manifest manifest) {
    this.path = path;
    this.manifest = manifest;
  }

  static String workerFile(int rank) {
    return "worker-" + rank + ".npz";
  }

  /** Name of the file with the manifest's own checksum, in the form of {@code sha256sum}. */
  static final String MANIFEST_SUM = Manifest.NAME + ".sha256";

  static String sumLine(String sha256) {
    return sha256 + "  " + Manifest.NAME + "\n";
  }

  /**
   * Opens a checkpoint and checks whose it is, and every file's length and checksum.
   *
   * @throws IOException if anything is missing or differs; the message names file, expected, found
   */
  public static Checkpoint open(Path path, Origin origin) throws IOException {
    Checkpoint checkpoint = new Checkpoint(path, manifest(path));
    origin.check(path, checkpoint.manifest);
    for (Map.Entry<String, Manifest.FileSum> file : checkpoint.manifest.files().entrySet()) {
      check(path.resolve(file.getKey()), file.getValue());
    }
    return checkpoint;
  }

  /** Reads and checks the manifest alone. */
  static Manifest manifest(Path path) throws IOException {
    Path file = path.resolve(Manifest.NAME);
    String sum;
    String found;
    try {
      sum = Files.readString(path.resolve(MANIFEST_SUM), StandardCharsets.ISO_8859_1);
      found = DurableFile.sum(file).sha256();
    } catch (NoSuchFileException e) {
      throw new IOException(e.getFile() + ": expected a file, found none", e);
    }
    if (!sum.equals(sumLine(found))) {
      throw new IOException(
          "%s: expected checksum %s, found %s".formatted(file, sum.strip(), found));
    }
    try {
      Manifest manifest = Manifest.JSON.readValue(file.toFile(), Manifest.class);
      if (manifest == null) {
        throw new IOException(file + ": expected the description of a checkpoint, found null");
      }
      if (manifest.format() > Manifest.FORMAT) {
        throw new IOException(
            "%s: expected format %d or older, found %d; use the program that wrote it"
                .formatted(file, Manifest.FORMAT, manifest.format()));
      }
      manifest.check(file);
      return manifest;
    } catch (JsonProcessingException e) {
      throw new IOException(
          file + ": expected the description of a checkpoint, found " + e.getOriginalMessage(), e);
    }
  }

  private static void check(Path file, Manifest.FileSum expected) throws IOException {
    try {
      long bytes = Files.size(file);
      if (bytes != expected.bytes()) {
        throw new IOException(
            "%s: expected %d bytes, found %d".formatted(file, expected.bytes(), bytes));
      }
      String sha256 = DurableFile.sum(file).sha256();
      if (!sha256.equals(expected.sha256())) {
        throw new IOException(
            "%s: expected checksum %s, found %s".formatted(file, expected.sha256(), sha256));
      }
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": expected a file, found none", e);
    }
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  public Manifest manifest() {
    return manifest;
  }

  /** Updates applied to the parameters. */
  public long step() {
    return manifest.step();
  }

  /** Seconds since training started, at the end of the step. */
  public double seconds() {
    return manifest.seconds();
  }

  /**
   * The flat parameter vector.
   *
   * @throws IOException if the file cannot be read, or has not what the manifest says
   */
  public float[] parameters() throws IOException {
    Path file = path.resolve(PARAMETERS);
    int expected = manifest.layout().size();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      Object found = NpyFormat.read(in, Files.size(file));
      if (found instanceof float[] parameters && parameters.length == expected) {
        return parameters;
      }
      throw new IOException(
          "%s: expected %d floats, found %d %ss"
              .formatted(
                  file,
                  expected,
                  Array.getLength(found),
                  found.getClass().getComponentType().getSimpleName()));
    }
  }

  /**
   * What the master remembers, the parameters included; null for the best checkpoint, which has
   * parameters alone.
   */
  public StateMap master() throws IOException {
    if (!manifest.files().containsKey(MASTER)) {
      return null;
    }
    StateMap state = NpzFormat.read(path.resolve(MASTER));
    state.put(Snapshot.PARAMETERS, parameters());
    return state;
  }

  /** What a worker remembers; empty if nothing was saved of it. */
  public StateMap worker(int rank) throws IOException {
    String name = workerFile(rank);
    return manifest.files().containsKey(name) ? NpzFormat.read(path.resolve(name)) : new StateMap();
  }
}
