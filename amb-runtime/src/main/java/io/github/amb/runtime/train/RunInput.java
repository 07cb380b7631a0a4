package io.github.amb.runtime.train;

import io.github.amb.core.scheme.Scheme;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.network.NetworkDefinition;

/**
 * Parts of a run that a program gives as objects; null for those that the settings name.
 *
 * @param data the data set
 * @param network the network
 * @param scheme the scheme, made for the settings' batch size and number of workers
 */
public record RunInput(DataSet data, NetworkDefinition network, Scheme scheme) {
  /** The settings name every part. */
  public static final RunInput NONE = new RunInput(null, null, null);
}
