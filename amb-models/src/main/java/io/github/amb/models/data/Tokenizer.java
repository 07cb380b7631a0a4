package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Vocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.IntConsumer;

/** Divides files into symbols, each of which is a token. */
abstract class Tokenizer implements Vocabulary {
  /**
   * Returns the tokenizer that a user names.
   *
   * @throws UsageException if there is none of that name
   */
  static Tokenizer named(String name) {
    return switch (name) {
      case "characters" -> new CharacterTokens(new BitSet());
      case "bytes" -> new ByteTokens();
      default ->
          throw new UsageException(
              "data set text: expected tokens=characters or tokens=bytes, found tokens=%s", name);
    };
  }

  /**
   * Passes the symbols of a file, in order.
   *
   * @throws UsageException if the file is no text
   */
  abstract void read(Path file, IntConsumer symbols) throws IOException;

  /** The tokenizer whose tokens are those of a text with these symbols. */
  Tokenizer of(BitSet symbols) {
    return this;
  }

  /** The token of a symbol that {@link #read} has passed. */
  int token(int symbol) {
    return symbol;
  }
}
