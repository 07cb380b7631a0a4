package io.github.amb.core.state;

/** Prefixes the names of state, for one of several parts whose state has the same names. */
public record NamedState(String prefix, StateVisitor state) implements StateVisitor {
  @Override
  public boolean has(String name) {
    return state.has(prefix + name);
  }

  @Override
  public long integer(String name, long value) {
    return state.integer(prefix + name, value);
  }

  @Override
  public double real(String name, double value) {
    return state.real(prefix + name, value);
  }

  @Override
  public void floats(String name, float[] values) {
    state.floats(prefix + name, values);
  }

  @Override
  public void doubles(String name, double[] values) {
    state.doubles(prefix + name, values);
  }

  @Override
  public void integers(String name, long[] values) {
    state.integers(prefix + name, values);
  }

  @Override
  public float[] anyFloats(String name, float[] values) {
    return state.anyFloats(prefix + name, values);
  }

  @Override
  public double[] anyDoubles(String name, double[] values) {
    return state.anyDoubles(prefix + name, values);
  }

  @Override
  public long[] anyIntegers(String name, long[] values) {
    return state.anyIntegers(prefix + name, values);
  }
}
