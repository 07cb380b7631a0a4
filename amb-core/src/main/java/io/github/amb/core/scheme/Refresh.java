package io.github.amb.core.scheme;

/** Where a computation looks for newer parameters while it is under way. */
interface Refresh {
  /** There are none until the computation has ended. */
  Refresh NEVER =
      new Refresh() {
        @Override
        public float[] newer() {
          return null;
        }

        @Override
        public boolean stopped() {
          return false;
        }
      };

  /** Parameters newer than those in use, or null if there are none. Does not wait. */
  float[] newer();

  /** Whether the computation is to be given up. */
  boolean stopped();
}
