package io.github.amb.runtime.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.file.Printable;
import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.state.StateMap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A checkpoint on disk with verified checksums: a directory with {@code manifest.json}, {@code
 * parameters.npy}, {@code master.npz} and a {@code worker-<rank>.npz} per worker, or {@code
 * workers.npz}. The checkpoint of the best parameters has no states.
 *
 * @param path its directory
 * @param manifest its description; {@link #open} has checked the files
 */
public record Checkpoint(Path path, Manifest manifest) {
  /** The file of a checkpoint that has the parameters. */
  public static final String PARAMETERS = "parameters.npy";

  static final String MASTER = "master.npz";

  /** The file with the states of all workers, whose names begin with the rank. */
  static final String WORKERS = "workers.npz";

  /** How names of arrays in {@code .npz} files end. */
  static final String ARRAY = ".npy";

  /** The layout of the parameter vector. */
  public Layout layout() {
    return manifest.layout();
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
   * Opens a checkpoint, and checks its origin and every file's length and checksum.
   *
   * @param path the directory
   * @param origin what the checkpoint must come from
   * @throws DamagedException if anything is missing or differs; the message has the file, what was
   *     expected and what was found
   * @throws IOException if a file cannot be read; the message has the file
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
  private static Manifest manifest(Path path) throws IOException {
    String sum = new String(read(path.resolve(MANIFEST_SUM)), StandardCharsets.ISO_8859_1);
    Path file = path.resolve(Manifest.NAME);
    byte[] json = read(file);
    String found = Sha256.of(json);
    if (!sum.equals(sumLine(found))) {
      throw new DamagedException(
          "%s: expected checksum %s, found %s".formatted(file, sum.strip(), found));
    }
    Manifest manifest;
    try {
      manifest = Manifest.JSON.readValue(json, Manifest.class);
    } catch (IOException e) {
      String problem =
          e instanceof JsonProcessingException wrong ? wrong.getOriginalMessage() : e.getMessage();
      throw new DamagedException(
          file + ": expected the description of a checkpoint, found " + problem, e);
    }
    if (manifest == null) {
      throw new DamagedException(file + ": expected the description of a checkpoint, found null");
    }
    if (manifest.format() > Manifest.FORMAT) {
      throw new DamagedException(
          "%s: expected format %d or older, found %d; use the program that wrote it"
              .formatted(file, Manifest.FORMAT, manifest.format()));
    }
    manifest.check(file);
    return manifest;
  }

  private static byte[] read(Path file) throws IOException {
    long bytes = reading(file, () -> Files.size(file));
    if (bytes > DataLimits.RUN_JSON_BYTES) {
      throw new DamagedException(
          "%s: expected at most %d bytes, found %d"
              .formatted(file, DataLimits.RUN_JSON_BYTES, bytes));
    }
    return reading(file, () -> Files.readAllBytes(file));
  }

  private static void check(Path file, Manifest.FileSum expected) throws IOException {
    long bytes = reading(file, () -> Files.size(file));
    if (bytes != expected.bytes()) {
      throw new DamagedException(
          "%s: expected %d bytes, found %d".formatted(file, expected.bytes(), bytes));
    }
    String sha256 = reading(file, () -> Sha256.of(file));
    if (!sha256.equals(expected.sha256())) {
      throw new DamagedException(
          "%s: expected checksum %s, found %s".formatted(file, expected.sha256(), sha256));
    }
  }

  /**
   * Reads a file; distinguishes a missing one from one that cannot be read now, and names it in the
   * message.
   */
  private static <T> T reading(Path file, Reading<T> reading) throws IOException {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        throw new DamagedException(file + ": expected a regular file, found a directory or device");
      }
      return reading.read();
    } catch (DamagedException e) {
      throw e;
    } catch (FileSystemException e) {
      // A path that leads through a file, not a directory, will not become one either.
      if (e instanceof NoSuchFileException || Files.isRegularFile(file.getParent())) {
        throw new DamagedException(file + ": expected a file, found none", e);
      }
      String reason = e instanceof AccessDeniedException ? "Permission denied" : e.getReason();
      throw new IOException("cannot read " + file + ": " + reason, e);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** SHA-256 of the parameter file, which {@link #open} has verified. */
  public String parametersSha256() {
    return manifest.files().get(PARAMETERS).sha256();
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
   * The flat parameter vector, a new array.
   *
   * @throws DamagedException if it differs from the manifest, or has an entry that is not finite
   * @throws IOException if the file cannot be read
   */
  public float[] parameters() throws IOException {
    Path file = path.resolve(PARAMETERS);
    int expected = manifest.layout().size();
    Object found = array(file);
    if (found instanceof float[] parameters && parameters.length == expected) {
      expectFinite(file, parameters);
      return parameters;
    }
    throw new DamagedException(
        "%s: expected %d floats, found %d %ss"
            .formatted(
                file,
                expected,
                Array.getLength(found),
                found.getClass().getComponentType().getSimpleName()));
  }

  /**
   * Rejects non-finite parameters. Versions up to 0.1 may have saved some, as not every network
   * shows them.
   */
  private void expectFinite(Path file, float[] parameters) throws DamagedException {
    int bad = Finite.firstBad(parameters, 0, parameters.length);
    if (bad >= 0) {
      Block block = manifest.layout().blockAt(bad);
      throw new DamagedException(
          "%s: block %s, entry %d: expected a finite number, found %s"
              .formatted(file, block.name(), bad - block.offset(), parameters[bad]));
    }
  }

  /**
   * Reads an {@code .npy} file.
   *
   * @return a {@code float[]}, {@code double[]} or {@code long[]}
   * @throws DamagedException if it is missing or is no such array
   * @throws UsageException if Java has not enough memory for it
   * @throws IOException if it cannot be read
   */
  public static Object array(Path file) throws IOException {
    return reading(
        file,
        () -> {
          try (InputStream in = Files.newInputStream(file)) {
            return array(in, file.toString(), Files.size(file));
          }
        });
  }

  private static Object array(InputStream in, String source, long bytes) throws IOException {
    BoundedFile.requireMemory(source, bytes);
    try {
      return NpyArray.readValues(source, new BufferedInputStream(in), bytes);
    } catch (UsageException e) {
      throw new DamagedException(e.getMessage(), e);
    }
  }

  /**
   * The master's state, including the parameters; null for the checkpoint of the best parameters.
   *
   * @throws IOException if the file cannot be read
   */
  public StateMap master() throws IOException {
    if (!manifest.files().containsKey(MASTER)) {
      return null;
    }
    StateMap state = state(MASTER);
    state.put(Snapshot.PARAMETERS, parameters());
    return state;
  }

  /**
   * The states of workers by rank; empty where none was saved.
   *
   * @param ranks number of workers
   * @throws IOException if a file cannot be read
   */
  SortedMap<Integer, StateMap> workers(int ranks) throws IOException {
    SortedMap<Integer, StateMap> workers = new TreeMap<>();
    for (int rank = 1; rank <= ranks; rank++) {
      String name = workerFile(rank);
      workers.put(rank, manifest.files().containsKey(name) ? state(name) : new StateMap());
    }
    if (manifest.files().containsKey(WORKERS)) {
      state(WORKERS).entries().forEach((name, array) -> put(name, array, workers));
    }
    return workers;
  }

  private static void put(String name, Object array, SortedMap<Integer, StateMap> workers) {
    String[] parts = name.split("/", 2);
    int rank = Decimal.is(parts[0]) ? Decimal.integer(parts[0]) : 0;
    if (workers.containsKey(rank)) {
      workers.get(rank).put(parts[1], array);
    }
  }

  /**
   * Reads all arrays. They are stored as they are, so that they need no more memory than the file
   * is long.
   */
  static StateMap state(Path file) throws IOException {
    StateMap state = new StateMap();
    long left = Files.size(file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (!name.endsWith(ARRAY)) {
          throw new DamagedException(file + ": expected arrays (.npy), found " + name);
        }
        left -= entry.getSize();
        if (left < 0) {
          throw new DamagedException(
              "%s: expected arrays that are not compressed, found more bytes than the file has at %s"
                  .formatted(file, Printable.printable(name)));
        }
        try (InputStream in = zip.getInputStream(entry)) {
          state.put(
              name.substring(0, name.length() - ARRAY.length()),
              array(in, file + ": " + name, entry.getSize()));
        }
      }
    } catch (ZipException e) {
      throw new DamagedException(file + ": expected an archive, found " + e.getMessage(), e);
    }
    return state;
  }

  private StateMap state(String name) throws IOException {
    Path file = path.resolve(name);
    return reading(file, () -> state(file));
  }
}
