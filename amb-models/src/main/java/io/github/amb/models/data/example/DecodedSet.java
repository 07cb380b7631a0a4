package io.github.amb.models.data.example;

import java.io.IOException;
import java.util.List;

/**
 * A data set that took time to decode or to generate, in the form that is kept for other processes.
 *
 * @param shape shape of one example
 * @param classes number of classes, or of the labels or numbers that are to be predicted
 * @param train training examples
 * @param test test examples
 * @param classNames the user's texts for them; empty if they have none
 * @param note what was left out, converted or guessed, one line; empty for nothing
 */
public record DecodedSet(
    ImageShape shape,
    int classes,
    StoredExamples train,
    StoredExamples test,
    List<String> classNames,
    String note) {
  /** A data set without names of classes, of which nothing was left out or converted. */
  public DecodedSet(ImageShape shape, int classes, StoredExamples train, StoredExamples test) {
    this(shape, classes, train, test, List.of(), "");
  }

  /** Decodes or generates a data set. */
  public interface Source<E extends Exception> {
    DecodedSet decode() throws E;
  }

  /**
   * Maps a data set from the {@link CacheDirectory}. If it is not there, decodes and stores it
   * first.
   *
   * @param name what the user calls it
   * @param form how it is read or generated
   * @param key SHA-256, hexadecimal, of everything that the examples depend on
   * @throws E if the source throws it; an unusable cache is not an error
   */
  public static <E extends Exception> DataSet once(
      String name, String form, String key, Source<E> source) throws E {
    DecodedSetFile file;
    try {
      file = new DecodedSetFile(CacheDirectory.usual(), form, key);
    } catch (IOException noCache) {
      return source.decode().named(name);
    }
    return once(name, file, source);
  }

  static <E extends Exception> DataSet once(String name, DecodedSetFile file, Source<E> source)
      throws E {
    try {
      return file.map(name);
    } catch (IOException notThere) {
      DecodedSet decoded = source.decode();
      try {
        file.write(decoded);
        return file.map(name);
      } catch (IOException notKept) {
        return decoded.named(name);
      }
    }
  }

  /** The data set with another note. */
  public DecodedSet noting(String other) {
    return new DecodedSet(shape, classes, train, test, classNames, other);
  }

  /** The data set with a user's name. */
  public DataSet named(String name) {
    return new DataSet(name, shape, classes, train, test, classNames, note, null);
  }
}
