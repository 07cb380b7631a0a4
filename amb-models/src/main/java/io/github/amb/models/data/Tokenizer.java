package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Text.Vocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.IntConsumer;

/** Divides files into symbols, each of which is a token. */
interface Tokenizer extends Vocabulary {
  /** Begins the name of a tokenizer that is in a file. */
  String MERGES = "bpe:";

  /**
   * Returns the tokenizer that a user names.
   *
   * @throws UsageException if there is none of that name
   */
  static Tokenizer named(String name) {
    if (name.startsWith(MERGES)) {
      return BytePairTokens.of(Path.of(name.substring(MERGES.length())));
    }
    return switch (name) {
      case "characters" -> new CharacterTokens(new BitSet());
      case "bytes" -> new ByteTokens();
      case "gpt2" -> BytePairTokens.gpt2();
      default ->
          throw new UsageException(
              "data set text: expected tokens=characters, bytes, gpt2 or bpe:FILE, found tokens=%s",
              name);
    };
  }

  /**
   * Passes the symbols of a file, in order.
   *
   * @throws UsageException if the file is no text
   */
  void read(Path file, IntConsumer symbols) throws IOException;

  /** The tokenizer whose tokens are those of a text with these symbols. */
  default Tokenizer of(BitSet symbols) {
    return this;
  }

  /** The token of a symbol that {@link #read} has passed. */
  default int token(int symbol) {
    return symbol;
  }
}
