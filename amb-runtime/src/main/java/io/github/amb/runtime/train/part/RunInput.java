package io.github.amb.runtime.train.part;

import io.github.amb.core.scheme.Scheme;
import io.github.amb.models.data.example.DataSet;
import java.util.function.Supplier;

/**
 * Parts of a run that a program gives as objects; null for those that the settings name.
 *
 * @param data makes the data set, or throws a {@link io.github.amb.core.option.UsageException} with
 *     all problems
 * @param network the network, as DL4J writes it in JSON
 * @param scheme the scheme, made for the settings' batch size and number of workers
 */
public record RunInput(Supplier<DataSet> data, String network, Scheme scheme) {
  /** The settings name every part. */
  public static final RunInput NONE = new RunInput(null, null, null);

  /** What messages call the network. */
  static final String NETWORK = "network";
}
