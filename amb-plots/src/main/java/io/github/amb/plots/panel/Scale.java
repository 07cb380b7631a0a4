package io.github.amb.plots.panel;

/** The scale of an axis. */
public enum Scale {
  LINEAR,
  /** Logarithmic, with ticks at powers of two. */
  LOG2,
  /** Logarithmic, with ticks at powers of ten. */
  LOG10;

  public boolean isLogarithmic() {
    return this != LINEAR;
  }
}
