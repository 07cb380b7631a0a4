package io.github.amb.core.gradient;

import io.github.amb.core.thread.UseCount;
import java.nio.FloatBuffer;

/**
 * A model in memory that is freed by hand. Memory is freed once, after the call that uses it has
 * returned, whichever thread closes; a call that comes later is an {@link IllegalStateException}.
 */
public abstract class NativeSource implements GradientSource {
  private final UseCount uses = new UseCount("a model");

  /** As {@link GradientSource#begin(FloatBuffer, long)}. */
  protected abstract void start(FloatBuffer parameters, long drawSeed);

  /** As {@link GradientSource#begin(FloatBuffer, FloatBuffer, long)}. */
  protected void start(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    start(parameters, drawSeed);
  }

  /** As {@link GradientSource#accumulate}. */
  protected abstract double add(int[] examples, int from, int to);

  /** As {@link GradientSource#finish(FloatBuffer)}. */
  protected abstract void end(FloatBuffer gradient);

  /** As {@link GradientSource#evaluate}. */
  protected abstract Evaluation score(float[] parameters, int[] examples, int from, int to);

  /** Frees the memory; called once, when nothing uses it and nothing will. */
  protected abstract void free();

  @Override
  public final void begin(FloatBuffer parameters, long drawSeed) {
    uses.enter();
    try {
      start(parameters, drawSeed);
    } finally {
      uses.exit();
    }
  }

  @Override
  public final void begin(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    uses.enter();
    try {
      start(parameters, gradient, drawSeed);
    } finally {
      uses.exit();
    }
  }

  @Override
  public final double accumulate(int[] examples, int from, int to) {
    uses.enter();
    try {
      return add(examples, from, to);
    } finally {
      uses.exit();
    }
  }

  @Override
  public final void finish(FloatBuffer gradient) {
    uses.enter();
    try {
      end(gradient);
    } finally {
      uses.exit();
    }
  }

  @Override
  public final Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    uses.enter();
    try {
      return score(parameters, examples, from, to);
    } finally {
      uses.exit();
    }
  }

  /** Waits for a call under way, then frees the memory; further calls change nothing. */
  @Override
  public final void close() {
    if (uses.close()) {
      free();
    }
  }
}
