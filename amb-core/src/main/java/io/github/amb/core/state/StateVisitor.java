package io.github.amb.core.state;

/** Saves what it is shown, or replaces it by what was saved. */
public interface StateVisitor {
  /**
   * Whether a piece is to be shown: false if earlier versions did not save it, and it is missing in
   * what they saved.
   */
  default boolean has(String name) {
    return true;
  }

  /**
   * A number.
   *
   * @param name letters, digits, dots and dashes
   * @return what to keep in its place
   */
  long integer(String name, long value);

  /** A number, as {@link #integer}. */
  double real(String name, double value);

  /** An array, which is read, or whose entries are replaced. */
  void floats(String name, float[] values);

  /** An array, as {@link #floats}. */
  void doubles(String name, double[] values);

  /** An array, as {@link #floats}. */
  void integers(String name, long[] values);
}
