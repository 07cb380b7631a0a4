package io.github.amb.models.data.example;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a data set of text has besides its windows.
 *
 * @param vocabulary its tokens, which are its classes
 * @param tokensPerCharacter tokens of the part for testing, divided by its characters (code points)
 */
public record Text(Vocabulary vocabulary, double tokensPerCharacter) {
  /** The tokens of a text. A model predicts the next one, so they are its classes, from 0. */
  public interface Vocabulary {
    /** Number of tokens. */
    int size();

    /**
     * The tokens of a text.
     *
     * @throws io.github.amb.core.option.UsageException if it has a character that has no token
     */
    int[] encode(String text);

    /** The text of a token in UTF-8; a token may be a part of a character. */
    byte[] bytes(int token);

    /** Number of characters (code points) that begin in a token. */
    default int characters(int token) {
      int characters = 0;
      for (byte b : bytes(token)) {
        characters += (b & 0xc0) == 0x80 ? 0 : 1;
      }
      return characters;
    }
  }

  /**
   * Perplexity e^loss, and bits per character, in this order.
   *
   * @param loss nats per token
   */
  Map<String, Double> metrics(double loss) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("perplexity", Math.exp(loss));
    metrics.put("bits_per_character", loss / Math.log(2) * tokensPerCharacter);
    return metrics;
  }
}
