package io.github.amb.core.scheme;

import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import java.util.ArrayList;
import java.util.List;

/**
 * Streaming DiLoCo: the parameters are cut into P fragments, of which one is exchanged every H/P
 * local steps, in turn. Workers take τ steps while it is under way, and then mix it with their own.
 *
 * <p>{@code θₚ ← OuterOpt(θₚ, Δₚ), Δₚ = 1/k Σᵢ (θₚ − θᵢₚ)}, and τ local steps later {@code θᵢₚ ← α
 * θᵢₚ + (1 − α) θₚ}. With P = 1, τ = 0 and α = 0 it is {@code diloco}, bit for bit.
 *
 * <p>What a worker has computed since each fragment was exchanged is lost when it dies; the others
 * keep theirs, but for the steps of the overlap.
 *
 * <p>Douillard et al.: "Streaming DiLoCo with Overlapping Communication", 2025.
 */
class StreamingDiLoCo extends DiLoCo {
  static final Setting<Integer> FRAGMENTS =
      Setting.integer("fragments", 2, 1)
          .help("parts of the parameters that are exchanged in turn, P; H is a multiple of it");
  static final Setting<Integer> OVERLAP =
      Setting.integer("overlap", 1, 0).help("local steps during an exchange, tau, less than H / P");
  static final Setting<Double> MIXING =
      Setting.share("mixing", 0.5)
          .help("weight of a worker's own parameters, alpha, when new ones come");

  private final int fragments;

  private final int overlap;
  private final double mixing;

  StreamingDiLoCo(SchemeOptions options) {
    this(options, options.get(MIXING));
  }

  StreamingDiLoCo(SchemeOptions options, double mixing) {
    super(options);
    this.mixing = mixing;
    fragments = options.get(FRAGMENTS);
    overlap = options.get(OVERLAP);
  }

  static List<String> problems(SchemeOptions options) {
    int steps = options.get(LOCAL_STEPS);
    int parts = options.get(FRAGMENTS);
    List<String> problems = new ArrayList<>();
    if (steps % parts != 0) {
      problems.add(
          "--fragments: expected a divisor of %d (--local-steps), found %d"
              .formatted(steps, parts));
    } else if (options.get(OVERLAP) >= steps / parts) {
      problems.add(
          "--overlap: expected less than %d (--local-steps by --fragments), found %d"
              .formatted(steps / parts, options.get(OVERLAP)));
    }
    return problems;
  }

  /** Local steps from taking the parameters of a step to sending a change. */
  final int before(long step) {
    return step > after ? localSteps / fragments - overlap : 1;
  }

  /** Local steps while the change is under way. */
  final int overlap(long step) {
    return step > after ? overlap : 0;
  }

  @Override
  public int fragments() {
    return fragments;
  }

  @Override
  OuterUpdate outerOpt(Master master) {
    master.timeLimit(Double.POSITIVE_INFINITY);
    return super.outerOpt(master).inFragments(fragments(master.context().update().layout()));
  }

  final Fragments fragments(Layout layout) {
    return new Fragments(layout, fragments);
  }

  @Override
  public void worker(Worker worker) {
    LocalModel local = worker.localModel();
    local.keep(fragments(worker.context().source().layout()), mixing);
    while (worker.receive()) { // θ, of which the fragment updated last is new
      local.take(); // θᵢₚ ← α θᵢₚ + (1 − α) θₚ; at first θᵢ ← θ
      for (int h = 0; h < before(worker.step()) && (h == 0 || local.hasTime()); h++) {
        local.step();
      }
      local.push(); // Δₚ = θₚ − θᵢₚ of the next fragment
      for (int h = 0; h < overlap(worker.step()) && local.hasTime(); h++) {
        local.step();
      }
    }
  }
}
