package io.github.amb.plots.panel;

/** How an axis is divided. */
public enum Scale {
  LINEAR,
  /** By powers of two. */
  LOG2,
  /** By powers of ten. */
  LOG10;

  public boolean isLogarithmic() {
    return this != LINEAR;
  }
}
