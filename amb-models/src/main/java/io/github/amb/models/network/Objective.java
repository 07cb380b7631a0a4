package io.github.amb.models.network;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import java.util.Map;

/** A function of the parameters that computes its own gradients: a network without layers. */
public interface Objective {
  /** The usual {@link #engine}, whose bits are the same on every machine. */
  String JAVA = "Java";

  /**
   * Blocks of the flat parameter vector.
   *
   * @throws io.github.amb.core.option.UsageException if it cannot be made for such examples
   */
  Layout layout(ExampleForm form);

  /**
   * The objective of a data set; the caller closes it. Several may be opened and used at the same
   * time. Same data, parameters and seeds must give the same bits.
   *
   * @throws io.github.amb.core.option.UsageException if the data do not fit it
   */
  GradientSource open(DataSet data);

  /**
   * Checks that data fit it.
   *
   * @throws io.github.amb.core.option.UsageException if they do not
   */
  default void check(DataSet data) {
    open(data).close();
  }

  /** SHA-256 of the files that decide what it computes, by name. */
  default Map<String, String> checksums() {
    return Map.of();
  }

  /** What computes it. */
  default String engine() {
    return JAVA;
  }
}
