package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Loss;

/**
 * What a network is built for.
 *
 * @param input shape of one example
 * @param classes number of classes, or of the labels or numbers that are to be predicted
 * @param norm its normalization
 * @param targets what is to be predicted
 * @param loss of its outputs
 */
public record Requirements(ImageShape input, int classes, Norm norm, Targets targets, Loss loss) {
  /** A network that tells classes from each other. */
  public Requirements(ImageShape input, int classes, Norm norm) {
    this(input, classes, norm, Targets.CLASS, Loss.MCXENT);
  }

  /** Number of outputs. */
  public int outputs() {
    return loss.outputs(targets, classes);
  }
}
