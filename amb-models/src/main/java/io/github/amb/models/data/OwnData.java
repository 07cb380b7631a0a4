package io.github.amb.models.data;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.example.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A user's own data, whose name is their path. They are read once. */
abstract class OwnData implements DataSetDefinition {
  private final String name;
  final Path path;
  private DataSet data;

  OwnData(String name, Path path) {
    this.name = name;
    this.path = path;
  }

  /** Reads and checks the data. */
  abstract DataSet open() throws IOException;

  /** SHA-256 of what is read, by name. */
  abstract Map<String, String> sums() throws IOException;

  /** Reads what there must be a file for. */
  private <T> T read(Reading<T> reading) {
    if (path == null || !Files.exists(path)) {
      throw new UsageException(
          "data set %s: expected a file or folder, found none",
          path == null ? name + arguments() : path);
    }
    try {
      return reading.read();
    } catch (OutOfMemoryError e) {
      throw new UsageException(
          "%s: expected data that fit into the memory of Java, found more; give Java more, as with AMB_OPTIONS=-Xmx4g",
          path);
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", path, FileFailure.reason(e));
    }
  }

  @Override
  public final synchronized DataSet load(Path directory, long seed) {
    if (data == null) {
      data = read(this::open);
    }
    return data;
  }

  @Override
  public final Map<String, String> checksums(Path directory) {
    return read(this::sums);
  }

  @Override
  public Description description() {
    return Description.of(name, "your data at " + path);
  }

  @Override
  public int trainingExamples() {
    return load(null, 0).train().count();
  }

  @Override
  public int testExamples() {
    return load(null, 0).test().count();
  }
}
