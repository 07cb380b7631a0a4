package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/** One network that can be trained. */
interface NetworkDefinition {
  /** What the user calls it. */
  String name();

  /** Shape of one example. */
  ImageShape input();

  /** Number of classes. */
  int classes();

  /** Its layers, each with a name of its own. */
  MultiLayerConfiguration configuration();
}
