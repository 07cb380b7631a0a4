package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;

/** Changes gradients for the delay with which they come. */
interface GradientCorrection {
  /** Leaves gradients as they are. */
  GradientCorrection NONE =
      new GradientCorrection() {
        @Override
        public void sent(int rank, float[] parameters) {
          // Nothing to remember.
        }

        @Override
        public void correct(Frame gradient, float[] parameters) {
          // Nothing to change.
        }
      };

  /** Notes what a worker computes at. {@code parameters} are not modified. */
  void sent(int rank, float[] parameters);

  /**
   * Changes a gradient before it is applied.
   *
   * @param gradient a gradient sum at the parameters last {@link #sent} to its source; its payload
   *     may be modified
   * @param parameters what it will be applied to; not modified
   */
  void correct(Frame gradient, float[] parameters);
}
