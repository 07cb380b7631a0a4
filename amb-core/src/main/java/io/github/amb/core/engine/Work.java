package io.github.amb.core.engine;

/** Kinds of work that a cost model prices. */
public enum Work {
  /** The gradient of one partition; the amount is its number of examples. */
  PARTITION,
  /** One application of the update rule; the amount is the number of parameters. */
  UPDATE,
  /** A test-set evaluation; the amount is its number of examples. */
  EVALUATION,
  /** Encoding a message; the amount is the number of entries that a codec encodes. */
  ENCODING,
  /** Decoding a message; the amount is the number of entries that a codec encoded. */
  DECODING
}
