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
