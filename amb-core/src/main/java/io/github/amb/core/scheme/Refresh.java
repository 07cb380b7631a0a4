package io.github.amb.core.scheme;

import java.nio.FloatBuffer;

/** Where a computation looks for newer parameters while it is under way. */
interface Refresh {
  /** There are none until the computation has ended. */
  Refresh NEVER =
      new Refresh() {
        @Override
        public FloatBuffer newer() {
          return null;
        }

        @Override
        public boolean stopped() {
          return false;
        }
      };

  /** Parameters newer than those in use, or null if there are none. Does not wait. */
  FloatBuffer newer();

  /** Whether the computation is to be given up. */
  boolean stopped();
}
