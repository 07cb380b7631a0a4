package io.github.amb.models.network;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Registry;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.models.dl4j.SavedArchitecture;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One network that can be trained.
 *
 * @param description name and texts
 * @param arguments what may follow the name
 * @param stated what it is built for when it is listed, as its authors had it; null for a network
 *     that is not listed and has no options
 * @param rule which examples it can be built for
 * @param blueprints makes what builds it from the arguments that a user typed
 * @param objectives makes what computes its gradients in place of layers from these arguments, or
 *     null where they ask for layers
 */
public record NetworkDefinition(
    Description description,
    String arguments,
    Requirements stated,
    InputRule rule,
    Function<EntryArguments, Function<Requirements, Architecture>> blueprints,
    Function<EntryArguments, Objective> objectives)
    implements Registry.Entry {

  /** What builds a network of texts from the arguments that a user typed. */
  interface OfTokens extends Function<Requirements, Architecture> {
    /** Maximum number of tokens of an example. */
    int context();
  }

  /** A network of 10 classes without normalization, for examples of one shape only. */
  public static NetworkDefinition of(
      String name, ImageShape input, Function<Requirements, Architecture> blueprint) {
    return new NetworkDefinition(
        Description.of(name, ""),
        "",
        new Requirements(input, 10, Norm.NONE),
        new InputRule.Exactly(input),
        none -> blueprint,
        none -> null);
  }

  /**
   * A network without layers.
   *
   * @param arguments what may follow its name, such as {@code [:l2=0]}; empty for nothing
   * @param objectives makes it from the arguments that a user typed
   */
  public static NetworkDefinition of(
      Description description, String arguments, Function<EntryArguments, Objective> objectives) {
    return new NetworkDefinition(
        description, arguments, null, new InputRule.AtLeast(1), none -> null, objectives);
  }

  /**
   * A network that is not listed and has no options, as its layers say how they are made.
   *
   * @param name what messages call it
   * @param json a sequence or graph of layers as DL4J writes it
   */
  public static NetworkDefinition ofJson(String name, String json) {
    return unlisted(name, needs -> SavedArchitecture.parse(name, json, needs.input()));
  }

  static NetworkDefinition unlisted(String name, Function<Requirements, Architecture> blueprint) {
    return new NetworkDefinition(
        Description.of(name, ""),
        "",
        null,
        new InputRule.AtLeast(1),
        none -> blueprint,
        none -> null);
  }

  /** What computes its gradients; null if its layers do. */
  Objective objective() {
    return objectives.apply(new EntryArguments("network " + name(), ""));
  }

  /** Whether it has layers. */
  public boolean hasLayers() {
    return objective() == null;
  }

  /** Whether it is listed and has options. */
  boolean isListed() {
    return stated != null;
  }

  /** A copy of this network with another default normalization. */
  public NetworkDefinition with(Norm norm) {
    return stating(new Requirements(stated.input(), stated.classes(), norm));
  }

  /** A copy of this network that is listed with another number of classes. */
  public NetworkDefinition withClasses(int classes) {
    return stating(new Requirements(stated.input(), classes, stated.norm()));
  }

  private NetworkDefinition stating(Requirements other) {
    return new NetworkDefinition(description, arguments, other, rule, blueprints, objectives);
  }

  /** A copy of this network that can be built for other examples. */
  public NetworkDefinition with(InputRule other) {
    return new NetworkDefinition(description, arguments, stated, other, blueprints, objectives);
  }

  /**
   * A copy of this network that arguments after its name describe.
   *
   * @param usage the arguments, such as {@code [:UNITS=128,...]}
   * @param other makes what builds it from the arguments
   */
  NetworkDefinition withArguments(
      String usage, Function<EntryArguments, Function<Requirements, Architecture>> other) {
    return new NetworkDefinition(description, usage, stated, rule, other, objectives);
  }

  /** A copy of this network that some arguments make one without layers. */
  NetworkDefinition withObjective(String usage, Function<EntryArguments, Objective> other) {
    return new NetworkDefinition(description, usage, stated, rule, blueprints, other);
  }

  /**
   * The same network with texts.
   *
   * @param summary one line
   * @param use one sentence: when to use it
   * @param source paper or origin, with its year
   */
  public NetworkDefinition about(String summary, String use, String source) {
    Description texts = Description.of(name(), summary).use(use).source(source);
    return new NetworkDefinition(texts, arguments, stated, rule, blueprints, objectives);
  }

  /**
   * The network that a user means. Its name has the arguments.
   *
   * @param choice this network with the arguments
   * @throws io.github.amb.core.option.UsageException if an argument is wrong
   */
  NetworkDefinition chosen(Registry.Choice<NetworkDefinition> choice) {
    Description chosen = description.named(choice.text());
    return choice.make(
        given -> {
          Objective objective = objectives.apply(given);
          var blueprint = objective == null ? blueprints.apply(given) : null;
          Requirements listed = objective == null ? stated : null;
          var network =
              new NetworkDefinition(
                  chosen, arguments, listed, rule, typed -> blueprint, typed -> objective);
          return blueprint instanceof OfTokens tokens ? network.limited(tokens.context()) : network;
        });
  }

  private NetworkDefinition limited(int tokens) {
    return stating(new Requirements(new ImageShape(1, 1, tokens), stated.classes(), stated.norm()))
        .with(new InputRule.Tokens(tokens));
  }

  /** A copy of this network with another name. */
  NetworkDefinition renamed(String other) {
    Description texts = description.named(other);
    return new NetworkDefinition(texts, arguments, stated, rule, blueprints, objectives);
  }

  @Override
  public List<String> usage() {
    if (stated == null) {
      return List.of();
    }
    return List.of(
        "expects %s; --norm %s unless set"
            .formatted(rule.expected(), stated.norm().name().toLowerCase(Locale.ROOT)));
  }

  /** The network as its authors had it, with default arguments unless others were chosen. */
  Architecture architecture() {
    if (!hasLayers()) {
      throw new UsageException(
          "network %s: expected one with layers, found one that computes its own gradients",
          name());
    }
    return architecture(stated);
  }

  /**
   * The network for other examples.
   *
   * @throws UsageException if its configuration needs ND4J's natives, which are not installed
   */
  Architecture architecture(Requirements requirements) {
    try {
      return blueprints.apply(new EntryArguments("network " + name(), "")).apply(requirements);
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      Natives.require("network " + name() + ", which DL4J's own builder configures");
      throw e;
    }
  }
}
