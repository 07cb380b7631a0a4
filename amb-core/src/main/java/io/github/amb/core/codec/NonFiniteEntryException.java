package io.github.amb.core.codec;

/** An entry of a block that is being encoded is infinite or not a number. */
final class NonFiniteEntryException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  NonFiniteEntryException() {
    super("expected finite entries");
  }
}
