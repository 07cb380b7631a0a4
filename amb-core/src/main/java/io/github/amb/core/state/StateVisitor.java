package io.github.amb.core.state;

/** Saves the state that it visits, or replaces it by saved state. */
public interface StateVisitor {
  /**
   * Whether a piece of state must be visited: false if it is missing in what an earlier version
   * saved.
   */
  default boolean has(String name) {
    return true;
  }

  /**
   * Visits an integer.
   *
   * @param name letters, digits, dots and dashes
   * @return the new value
   */
  long integer(String name, long value);

  /**
   * Visits a real number.
   *
   * @param name letters, digits, dots and dashes
   * @return the new value
   */
  double real(String name, double value);

  /** Visits an array, whose entries are read or overwritten. */
  void floats(String name, float[] values);

  /** Visits an array, whose entries are read or overwritten. */
  void doubles(String name, double[] values);

  /** Visits an array, whose entries are read or overwritten. */
  void integers(String name, long[] values);

  /** Visits an array of any length; returns the new one, which may be this one. */
  float[] anyFloats(String name, float[] values);

  /** Visits an array of any length; returns the new one, which may be this one. */
  double[] anyDoubles(String name, double[] values);

  /** Visits an array of any length; returns the new one, which may be this one. */
  long[] anyIntegers(String name, long[] values);
}
