package io.github.amb.core.scheme;

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
        public void correct(int rank, float[] gradientSum, long examples, float[] parameters) {
          // Nothing to change.
        }
      };

  /** Notes what a worker computes at. {@code parameters} are not modified. */
  void sent(int rank, float[] parameters);

  /**
   * Changes a gradient before it is applied.
   *
   * @param gradientSum of {@code examples} examples, at the parameters last {@link #sent} to {@code
   *     rank}; modified
   * @param parameters what it will be applied to; not modified
   */
  void correct(int rank, float[] gradientSum, long examples, float[] parameters);
}
