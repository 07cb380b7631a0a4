package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;

/** Tells workers, beside the parameters, how far to go before they send their results. */
interface Advisor {
  /** Says nothing. */
  Advisor NONE =
      new Advisor() {
        @Override
        public void begin(long step) {
          // Workers know what to do.
        }

        @Override
        public boolean takes(Frame frame) {
          return false;
        }

        @Override
        public void accepted(Frame result) {
          // Nothing to learn.
        }
      };

  /** The parameters of {@code step} are about to be sent. */
  void begin(long step);

  /** Whether a frame is for the advisor alone, which has taken note of it then. */
  boolean takes(Frame frame);

  /** A worker has sent its result. */
  void accepted(Frame result);
}
