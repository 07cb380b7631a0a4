package io.github.amb.core.gradient;

import io.github.amb.core.thread.UseCount;
import io.github.amb.core.thread.UseCount.Use;
import java.nio.FloatBuffer;

/**
 * A model whose native memory is freed by hand. {@link #close} may be called by any thread. It
 * frees the memory once, after the call that uses it has returned. Later calls throw an {@link
 * IllegalStateException}.
 */
@SuppressWarnings("try") // Uses are counted, not used.
public abstract class NativeSource implements GradientSource {
  private final UseCount uses = new UseCount("a model");

  /** Implements {@link GradientSource#begin(FloatBuffer, long)} while the memory is in use. */
  protected abstract void start(FloatBuffer parameters, long drawSeed);

  /**
   * Implements {@link GradientSource#begin(FloatBuffer, FloatBuffer, long)} while the memory is in
   * use.
   */
  protected void start(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    start(parameters, drawSeed);
  }

  /** Implements {@link GradientSource#accumulate} while the memory is in use. */
  protected abstract double add(int[] examples, int from, int to);

  /** Implements {@link GradientSource#finish(FloatBuffer)} while the memory is in use. */
  protected abstract void end(FloatBuffer gradient);

  /** Implements {@link GradientSource#evaluate} while the memory is in use. */
  protected abstract Evaluation score(float[] parameters, int[] examples, int from, int to);

  /** Frees the memory. Called once, after the last use. */
  protected abstract void free();

  @Override
  public final void begin(FloatBuffer parameters, long drawSeed) {
    try (Use use = uses.enter()) {
      start(parameters, drawSeed);
    }
  }

  @Override
  public final void begin(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    try (Use use = uses.enter()) {
      start(parameters, gradient, drawSeed);
    }
  }

  @Override
  public final double accumulate(int[] examples, int from, int to) {
    try (Use use = uses.enter()) {
      return add(examples, from, to);
    }
  }

  @Override
  public final void finish(FloatBuffer gradient) {
    try (Use use = uses.enter()) {
      end(gradient);
    }
  }

  @Override
  public final Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    try (Use use = uses.enter()) {
      return score(parameters, examples, from, to);
    }
  }

  /** Waits for a call in progress, then frees the memory. Further calls have no effect. */
  @Override
  public final void close() {
    if (uses.close()) {
      free();
    }
  }
}
