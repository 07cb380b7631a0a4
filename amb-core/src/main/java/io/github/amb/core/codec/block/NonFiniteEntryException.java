package io.github.amb.core.codec.block;

/** An entry of a block to encode, or a number of its encoding, is infinite or not a number. */
public final class NonFiniteEntryException extends ArithmeticException {
  public NonFiniteEntryException() {
    super("expected finite entries");
  }
}
