package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import java.util.function.Function;

/**
 * One network that can be trained.
 *
 * @param name what the user calls it
 * @param stated what it is built for when it is listed, as its authors had it
 * @param rule which examples it can be built for
 * @param blueprint builds it
 */
record NetworkDefinition(
    String name,
    Requirements stated,
    InputRule rule,
    Function<Requirements, Architecture> blueprint) {

  /** A network of 10 classes without normalization that takes examples of one shape only. */
  static NetworkDefinition of(
      String name, ImageShape input, Function<Requirements, Architecture> blueprint) {
    return new NetworkDefinition(
        name, new Requirements(input, 10, Norm.NONE), new InputRule.Exactly(input), blueprint);
  }

  /** The same network with another normalization unless the user chooses. */
  NetworkDefinition with(Norm norm) {
    return new NetworkDefinition(
        name, new Requirements(stated.input(), stated.classes(), norm), rule, blueprint);
  }

  /** The same network, listed with another number of classes. */
  NetworkDefinition withClasses(int classes) {
    return new NetworkDefinition(
        name, new Requirements(stated.input(), classes, stated.norm()), rule, blueprint);
  }

  /** The same network, which can be built for more examples. */
  NetworkDefinition with(InputRule other) {
    return new NetworkDefinition(name, stated, other, blueprint);
  }

  /** The network as its authors had it. */
  Architecture architecture() {
    return blueprint.apply(stated);
  }

  /** The network for other examples. */
  Architecture architecture(Requirements requirements) {
    return blueprint.apply(requirements);
  }
}
