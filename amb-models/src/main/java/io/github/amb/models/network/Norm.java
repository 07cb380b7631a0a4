package io.github.amb.models.network;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.dl4j.GroupNormalization;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.Layer;

/** The normalization of the results of a network's convolutions and hidden dense layers. */
public enum Norm {
  /**
   * Batch normalization (Ioffe and Szegedy, 2015), with ε = 1e-5 and running statistics that decay
   * by 0.9 per step. The batch is a partition, so small partitions make it less accurate.
   */
  BATCH,

  /** Group normalization, which does not depend on a batch: {@link GroupNormalization}. */
  GROUP,

  /** No normalization. */
  NONE;

  /** Creates a normalization layer. */
  public Layer layer(String name) {
    return switch (this) {
      case BATCH -> new BatchNormalization.Builder().name(name).decay(0.9).eps(1e-5).build();
      case GROUP -> new GroupNormalization.Builder().name(name).build();
      case NONE -> throw new IllegalStateException("no normalization has no layer");
    };
  }

  /** The names, as users type them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Norm::toString).toList();
  }

  /**
   * Returns the normalization with a name.
   *
   * @throws UsageException if there is none
   */
  public static Norm named(String name) {
    Suggestion.expectKnown("unknown normalization", name, names());
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
