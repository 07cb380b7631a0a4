package io.github.amb.runtime.launch;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** Changes plans as tests need them. */
public final class Plans {
  private Plans() {}

  /** A plan with another limit for the start of all ranks. */
  public static LaunchPlan within(LaunchPlan plan, Duration limit) {
    return of(plan, limit, plan.survival(), plan.placement());
  }

  /** A plan with another policy for ranks that fail. */
  static LaunchPlan surviving(LaunchPlan plan, FailurePolicy survival) {
    return of(plan, plan.startLimit(), survival, plan.placement());
  }

  /** A plan whose ranks are on hosts of these names, which may be read again. */
  static LaunchPlan placed(LaunchPlan plan, List<String> hosts) {
    InetAddress here = InetAddress.getLoopbackAddress();
    RankPlacement placement = new RankPlacement(here, places(hosts), null, warnings -> List.of());
    return of(plan, plan.startLimit(), plan.survival(), placement);
  }

  static List<RankPlacement.Place> places(List<String> hosts) {
    InetAddress here = InetAddress.getLoopbackAddress();
    return hosts.stream().map(host -> new RankPlacement.Place(host, here, true)).toList();
  }

  private static LaunchPlan of(
      LaunchPlan plan, Duration limit, FailurePolicy survival, RankPlacement placement) {
    return new LaunchPlan(
        plan.ranks(),
        plan.program(),
        plan.logDirectory(),
        limit,
        plan.masterOutput(),
        survival,
        placement,
        plan.view());
  }
}
