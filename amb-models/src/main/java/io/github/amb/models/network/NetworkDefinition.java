package io.github.amb.models.network;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import io.github.amb.models.data.ImageShape;
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
 * @param stated what it is built for when it is listed, as its authors had it; null for a network
 *     that is not listed and has no options
 * @param rule which examples it can be built for
 * @param blueprint builds it
 */
public record NetworkDefinition(
    Description description,
    Requirements stated,
    InputRule rule,
    Function<Requirements, Architecture> blueprint)
    implements Registry.Entry {

  /** A network of 10 classes without normalization, for examples of one shape only. */
  public static NetworkDefinition of(
      String name, ImageShape input, Function<Requirements, Architecture> blueprint) {
    return new NetworkDefinition(
        Description.of(name, ""),
        new Requirements(input, 10, Norm.NONE),
        new InputRule.Exactly(input),
        blueprint);
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
        Description.of(name, ""), null, new InputRule.AtLeast(1), blueprint);
  }

  /** Whether it is listed and has options. */
  boolean isListed() {
    return stated != null;
  }

  /** A copy of this network with another default normalization. */
  public NetworkDefinition with(Norm norm) {
    return new NetworkDefinition(
        description, new Requirements(stated.input(), stated.classes(), norm), rule, blueprint);
  }

  /** A copy of this network that is listed with another number of classes. */
  public NetworkDefinition withClasses(int classes) {
    return new NetworkDefinition(
        description, new Requirements(stated.input(), classes, stated.norm()), rule, blueprint);
  }

  /** A copy of this network that can be built for other examples. */
  public NetworkDefinition with(InputRule other) {
    return new NetworkDefinition(description, stated, other, blueprint);
  }

  /**
   * The same network with texts.
   *
   * @param summary one line
   * @param use one sentence: when to use it
   * @param source paper or origin, with its year
   */
  public NetworkDefinition about(String summary, String use, String source) {
    return new NetworkDefinition(
        Description.of(name(), summary).use(use).source(source), stated, rule, blueprint);
  }

  @Override
  public List<String> usage() {
    return List.of(
        "expects %s; --norm %s unless set"
            .formatted(rule.expected(), stated.norm().name().toLowerCase(Locale.ROOT)));
  }

  /** The network as its authors had it. */
  Architecture architecture() {
    return architecture(stated);
  }

  /**
   * The network for other examples.
   *
   * @throws UsageException if its configuration needs ND4J's natives, which are not installed
   */
  Architecture architecture(Requirements requirements) {
    try {
      return blueprint.apply(requirements);
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      Natives.require("network " + name() + ", which DL4J's own builder configures");
      throw e;
    }
  }
}
