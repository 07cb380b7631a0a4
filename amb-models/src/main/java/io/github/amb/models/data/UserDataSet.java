package io.github.amb.models.data;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user's own data set, whose name is its path: a folder of images per class, a CSV or an NPZ
 * file.
 *
 * <p>The data directory and the seed are ignored.
 */
public abstract class UserDataSet extends OwnData {
  UserDataSet(String name, Path path) {
    super(name, path);
  }

  /** The data set at a path; empty if {@code name} is not a path. */
  public static Optional<DataSetDefinition> at(String name) {
    return NpzDataSet.of(name)
        .or(() -> CsvDataSet.of(name))
        .or(() -> LibsvmDataSet.of(name))
        .or(() -> ImageFolder.at(name));
  }

  /** What a word after a path says: {@code targets} or {@code labels}. */
  static Targets named(String word) {
    return word.equals("labels") ? Targets.LABELS : Targets.NUMBERS;
  }

  /**
   * Reads and checks the data.
   *
   * @throws UsageException if a file has a value that is not understood
   * @throws IOException if a file cannot be read
   */
  public final DecodedSet read() throws IOException {
    ReadingNotes notes = new ReadingNotes(path);
    DecodedSet read = read(notes);
    return read.noting(notes.toString());
  }

  /**
   * Reads and checks the data.
   *
   * @param notes receives what is left out, converted or guessed
   */
  abstract DecodedSet read(ReadingNotes notes) throws IOException;

  /** What the examples depend on besides the checksum and the form; empty for nothing. */
  String reading() throws IOException {
    return "";
  }

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
  final DataSet open() throws IOException {
    String key = sha256();
    String kept = Sha256.of((key + reading()).getBytes(StandardCharsets.UTF_8));
    return DecodedSet.once(name(), form(), kept, () -> readUnchanged(key));
  }

  /** Reads the data, and checks that their checksum has not changed meanwhile. */
  private DecodedSet readUnchanged(String key) throws IOException {
    DecodedSet decoded = read();
    if (!sha256().equals(key)) {
      throw new UsageException(
          "%s: expected data that stay as they are, found a change while they were read: try again",
          path);
    }
    return decoded;
  }

  /** The shape of vectors: that of an image if one has as many features. */
  static ImageShape shape(int features, ReadingNotes notes) {
    ImageShape shape = ExampleArrays.shape(features);
    if (shape.height() > 1) {
      notes.add("vectors of %d features are taken as images".formatted(features), shape.toString());
    }
    return shape;
  }

  /** Notes how features are stored. */
  static StoredExamples noted(StoredExamples examples, ReadingNotes notes) {
    if (examples.type() == StoredExamples.Type.BYTE) {
      notes.add("features are divided by 255", "all are whole numbers from 0 to 255");
    }
    return examples;
  }

  /** Holds out every tenth example for testing. */
  final DecodedSet split(
      ImageShape shape,
      int classes,
      StoredExamples all,
      List<String> classNames,
      ReadingNotes notes) {
    int[] test = ExampleArrays.part(all.count(), true);
    int[] train = ExampleArrays.part(all.count(), false);
    if (train.length == 0) {
      throw new UsageException("%s: expected at least 2 examples, found 1", path);
    }
    notes.add("every tenth example is held out for testing", test.length + " of " + all.count());
    return new DecodedSet(
        shape,
        classes,
        new SelectedExamples(all, train),
        new SelectedExamples(all, test),
        classNames,
        "");
  }

  @Override
  Map<String, String> sums() throws IOException {
    return Map.of(source(), sha256());
  }
}
