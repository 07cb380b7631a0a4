package io.github.amb.core.codec;

/** An entry of a block to encode is infinite or not a number. */
final class NonFiniteEntryException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  NonFiniteEntryException() {
    super("expected finite entries");
  }
}
