package io.github.amb.core.state;

/**
 * Saves the state that it visits, or replaces it by saved state. The name of a piece of state has
 * letters, digits, dots and dashes.
 */
public interface StateVisitor {
  /**
   * Whether a piece of state must be visited: false if it is missing in what an earlier version
   * saved.
   */
  default boolean has(String name) {
    return true;
  }

  /** Visits an array of floats, doubles or longs, whose entries are read or overwritten. */
  void array(String name, Object values);

  /**
   * Visits an array of floats, doubles or longs of any length.
   *
   * @return the new one of the same type, which may be this one
   */
  Object anyArray(String name, Object values);

  /** Visits an integer and returns the new value. */
  default long integer(String name, long value) {
    long[] one = {value};
    array(name, one);
    return one[0];
  }

  /** Visits a real number and returns the new value. */
  default double real(String name, double value) {
    double[] one = {value};
    array(name, one);
    return one[0];
  }

  /** Visits an array, whose entries are read or overwritten. */
  default void floats(String name, float[] values) {
    array(name, values);
  }

  /**
   * As {@link #floats}, for a large array that the next change of state leaves as it is: that
   * change writes to another array, and the one after it to this one again. So the state before the
   * last change can be kept without a copy.
   */
  default void alternating(String name, float[] values) {
    floats(name, values);
  }

  /** Visits an array, whose entries are read or overwritten. */
  default void doubles(String name, double[] values) {
    array(name, values);
  }

  /** Visits an array, whose entries are read or overwritten. */
  default void integers(String name, long[] values) {
    array(name, values);
  }

  /** Visits an array of any length; returns the new one, which may be this one. */
  default float[] anyFloats(String name, float[] values) {
    return (float[]) anyArray(name, values);
  }

  /** Visits an array of any length; returns the new one, which may be this one. */
  default double[] anyDoubles(String name, double[] values) {
    return (double[]) anyArray(name, values);
  }

  /** Visits an array of any length; returns the new one, which may be this one. */
  default long[] anyIntegers(String name, long[] values) {
    return (long[]) anyArray(name, values);
  }
}
