package io.github.amb.runtime.launch;

import java.time.Duration;

/** Changes plans as tests need them. */
public final class Plans {
  private Plans() {}

  /** A plan with another limit for the start of all ranks. */
  public static LaunchPlan within(LaunchPlan plan, Duration limit) {
    return of(plan, limit, plan.survival());
  }

  /** A plan with another policy for ranks that fail. */
  static LaunchPlan surviving(LaunchPlan plan, FailurePolicy survival) {
    return of(plan, plan.startLimit(), survival);
  }

  private static LaunchPlan of(LaunchPlan plan, Duration limit, FailurePolicy survival) {
    return new LaunchPlan(
        plan.ranks(),
        plan.program(),
        plan.logDirectory(),
        limit,
        plan.masterOutput(),
        survival,
        plan.placement(),
        plan.view());
  }
}
