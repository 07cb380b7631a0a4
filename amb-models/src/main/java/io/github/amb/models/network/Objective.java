package io.github.amb.models.network;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;

/** A function of the parameters that computes its own gradients: a network without layers. */
public interface Objective {
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
}
