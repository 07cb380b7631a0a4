package io.github.amb.models.data;

import java.io.IOException;

/**
 * A data set that took time to decode or to generate, as it is kept for other processes.
 *
 * @param shape shape of one example
 * @param classes number of classes
 * @param train training examples
 * @param test test examples
 */
record DecodedSet(ImageShape shape, int classes, StoredExamples train, StoredExamples test) {
  /** Decodes or generates a data set. */
  interface Source {
    DecodedSet decode() throws IOException;
  }

  /**
   * A data set from the {@link CacheDirectory}, mapped; decoded and put there if it is not there.
   *
   * @param name what the user calls it
   * @param form how it is read or generated
   * @param key SHA-256, hexadecimal, of all that the examples follow from
   * @throws IOException if the source throws it; a cache that cannot be used is no error
   */
  static DataSet once(String name, String form, String key, Source source) throws IOException {
    DecodedSetFile file;
    try {
      file = new DecodedSetFile(CacheDirectory.usual(), form, key);
    } catch (IOException noCache) {
      return source.decode().named(name);
    }
    return once(name, file, source);
  }

  static DataSet once(String name, DecodedSetFile file, Source source) throws IOException {
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

  /** Under the name that the user calls it. */
  DataSet named(String name) {
    return new DataSet(name, shape, classes, train, test);
  }
}
