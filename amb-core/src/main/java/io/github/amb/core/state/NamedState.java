package io.github.amb.core.state;

/** Prefixes the names of state, for one of several parts whose state has the same names. */
public record NamedState(String prefix, StateVisitor state) implements StateVisitor {
  @Override
  public boolean has(String name) {
    return state.has(prefix + name);
  }

  @Override
  public void array(String name, Object values) {
    state.array(prefix + name, values);
  }

  @Override
  public void alternating(String name, float[] values) {
    state.alternating(prefix + name, values);
  }

  @Override
  public Object anyArray(String name, Object values) {
    return state.anyArray(prefix + name, values);
  }
}
