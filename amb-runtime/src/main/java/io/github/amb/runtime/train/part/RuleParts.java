package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.codec.MomentumCorrection;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.update.Clipping;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateHook;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import io.github.amb.runtime.config.Settings;
import java.util.ArrayList;
import java.util.List;

/** How a run's settings update parameters: update rule, weight decay and clipping. */
public final class RuleParts {
  private RuleParts() {}

  /**
   * A new update for vectors of the given layout.
   *
   * @param hook the codec's part, at the master; null for a worker's own steps
   */
  public static MasterUpdate update(RunParts run, Layout layout, UpdateHook hook) {
    Settings settings = run.settings();
    boolean gradients = !run.scheme().uplink().isOfChanges();
    UpdateRules.Entry entry = UpdateRules.named(settings.get(UPDATE_RULE));
    UpdateRule rule = entry.create(layout.size(), settings.values(UpdateRules.ALL.options()));
    return new MasterUpdate(
        layout,
        rule,
        new WeightDecay(
            settings.get(WEIGHT_DECAY),
            rule.decouplesDecay(),
            gradients ? momentum(run.codings()) : 0),
        new Clipping(
            most(settings, CLIP_NORM),
            most(settings, CLIP_VALUE),
            settings.get(GRADIENT_NORM).equals("on")),
        hook);
  }

  /** Momentum of the codec of gradients; 0 for none. */
  private static double momentum(Codings codings) {
    return codings.uplink().codec() instanceof MomentumCorrection codec ? codec.momentum() : 0;
  }

  private static double most(Settings settings, Setting<Double> setting) {
    return settings.has(setting) ? settings.get(setting) : Double.POSITIVE_INFINITY;
  }

  /**
   * Checks the settings of the update rule, also against scheme and codec.
   *
   * @param scheme null if unknown
   * @param codings null if unknown
   * @throws UsageException with all problems
   */
  static void check(Settings settings, Scheme scheme, Codings codings) {
    UpdateRules.Entry rule = UpdateRules.named(settings.get(UPDATE_RULE));
    List<String> problems = new ArrayList<>();
    try {
      UpdateRule made = rule.create(1, settings.values(UpdateRules.ALL.options()));
      if (scheme != null && scheme.uplink().isOfChanges() && !made.incremental()) {
        problems.add(
            "update rule %s: expected a scheme whose master applies the rule, found %s, whose workers apply it"
                .formatted(rule.name(), settings.get(SCHEME)));
      }
      boolean corrects = scheme != null && scheme.uplink() == Uplink.CORRECTING_CHANGES;
      if (corrects && !rule.name().equals("sgd")) {
        problems.add(
            "update rule %s: expected sgd, as scheme %s takes a change for a sum of gradients"
                .formatted(rule.name(), settings.get(SCHEME)));
      }
      if (scheme != null && scheme.uplink() == Uplink.CONSENSUS) {
        checkConsensus(settings, made, problems);
      }
    } catch (UsageException e) {
      e.getMessage().lines().forEach(problems::add);
    }
    checkMomentum(settings, rule, scheme, codings, problems);
    checkClipping(settings, codings, problems);
    UsageException.expectNone(problems);
  }

  /** Nodes agree on sums of gradients, of which only dual averaging makes parameters. */
  private static void checkConsensus(Settings settings, UpdateRule rule, List<String> problems) {
    if (rule.incremental()) {
      problems.add(
          "update rule %s: expected dual-averaging, as nodes of scheme %s agree on sums of gradients"
              .formatted(settings.get(UPDATE_RULE), settings.get(SCHEME)));
    }
    for (Setting<Double> clip : List.of(CLIP_NORM, CLIP_VALUE)) {
      if (settings.has(clip)) {
        problems.add(
            "--%s: expected none with scheme %s, whose nodes see no mean gradient"
                .formatted(clip.name(), settings.get(SCHEME)));
      }
    }
  }

  /** The momentum of the master and that of the codec would both be applied to what is sent. */
  private static void checkMomentum(
      Settings settings,
      UpdateRules.Entry rule,
      Scheme scheme,
      Codings codings,
      List<String> problems) {
    boolean known = scheme != null && codings != null;
    if (!known || momentum(codings) == 0) {
      return;
    }
    if (!scheme.uplink().isOfChanges() && rule.hasMomentum()) {
      problems.add(
          "--codec %s: expected an update rule without momentum, as the codec has it, found %s; use sgd"
              .formatted(codings.uplink().text(), rule.name()));
    }
    if (scheme.hasMomentum()) {
      problems.add(
          "--codec %s: expected a scheme without momentum, as the codec has it, found %s; use local-sgd"
              .formatted(codings.uplink().text(), settings.get(SCHEME)));
    }
  }

  private static void checkClipping(Settings settings, Codings codings, List<String> problems) {
    if (settings.has(CLIP_NORM) && settings.has(CLIP_VALUE)) {
      problems.add("--clip-norm: expected no --clip-value beside it, found both; leave one out");
    }
    boolean clips = settings.has(CLIP_NORM) || settings.has(CLIP_VALUE);
    if (clips && codings != null && codings.uplink().codec().hook().isPresent()) {
      problems.add(
          "--%s: has no effect with --codec %s, whose master takes signs of mean gradients; leave it out or change the codec"
              .formatted(
                  settings.has(CLIP_NORM) ? CLIP_NORM.name() : CLIP_VALUE.name(),
                  codings.uplink().text()));
    }
  }
}
