package io.github.amb.models.data.user;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.ImageShape;
import io.github.amb.models.data.cache.DecodedSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.SelectedExamples;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.source.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A user's own data set, whose name is its path: a folder of images per class, a CSV or an NPZ
 * file.
 *
 * <p>The data directory and the seed are ignored.
 */
public abstract class UserDataSet implements DataSetDefinition {
  private final Path path;
  private DataSet data;

  UserDataSet(Path path) {
    this.path = path;
  }

  /** The data set at a path; empty if {@code name} is not a path. */
  public static Optional<DataSetDefinition> at(String name) {
    Path path = Path.of(name);
    if (name.endsWith(".csv") || name.endsWith(".csv.gz")) {
      return Optional.of(new CsvDataSet(path));
    }
    if (name.endsWith(".npz")) {
      return Optional.of(new NpzDataSet(path));
    }
    return ImageFolder.at(name);
  }

  Path path() {
    return path;
  }

  /** Reads and checks the data. */
  abstract DecodedSet read() throws IOException;

  /** What the SHA-256 covers, in words. */
  String source() {
    return path.toString();
  }

  /** The form of reading, as part of the name in the cache. */
  abstract String form();

  /** SHA-256 of all data that are read. */
  String sha256() throws IOException {
    return Sha256.of(path);
  }

  @Override
  public final synchronized DataSet load(Path directory, long seed) {
    if (data == null) {
      requireThere();
      try {
        String key = sha256();
        data = DecodedSet.once(name(), form(), key, () -> readUnchanged(key));
      } catch (OutOfMemoryError e) {
        throw new UsageException(
            "%s: expected data that fit into the memory of Java, found more; give Java more, as with AMB_OPTIONS=-Xmx4g"
                .formatted(path));
      } catch (IOException e) {
        throw new UsageException("%s: cannot be read: %s".formatted(path, e));
      }
    }
    return data;
  }

  /** Reads the data, and checks that their checksum has not changed meanwhile. */
  private DecodedSet readUnchanged(String key) throws IOException {
    DecodedSet decoded = read();
    if (!sha256().equals(key)) {
      throw new UsageException(
          "%s: expected data that stay as they are, found a change while they were read: try again"
              .formatted(path));
    }
    return decoded;
  }

  private void requireThere() {
    if (!Files.exists(path)) {
      throw new UsageException(
          "data set %s: expected a file or folder, found none".formatted(path));
    }
  }

  /** Holds out every tenth example for testing. */
  final DecodedSet split(ImageShape shape, int classes, StoredExamples all) {
    int[] test = ExampleArrays.part(all.count(), true);
    int[] train = ExampleArrays.part(all.count(), false);
    if (train.length == 0) {
      throw new UsageException("%s: expected at least 2 examples, found 1".formatted(path));
    }
    return new DecodedSet(
        shape, classes, new SelectedExamples(all, train), new SelectedExamples(all, test));
  }

  @Override
  public Description description() {
    return Description.of(path.toString(), "your data at " + path);
  }

  @Override
  public int trainingExamples() {
    return load(null, 0).train().count();
  }

  @Override
  public int testExamples() {
    return load(null, 0).test().count();
  }

  @Override
  public Map<String, String> checksums(Path directory) {
    requireThere();
    try {
      return Map.of(source(), sha256());
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s".formatted(path, e));
    }
  }
}
