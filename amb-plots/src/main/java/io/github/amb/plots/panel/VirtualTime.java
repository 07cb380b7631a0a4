package io.github.amb.plots.panel;

import io.github.amb.plots.run.RunGroup;
import java.util.List;

/**
 * Says which times are those of a virtual cluster.
 *
 * @param virtual labels of the groups whose time is virtual
 * @param all whether these are all groups
 */
record VirtualTime(List<String> virtual, boolean all) {
  private static final Quantity SECONDS = Quantity.real("virtual time (s)");
  private static final Quantity MINUTES = Quantity.real("virtual time (min)");

  static VirtualTime of(List<RunGroup> groups) {
    List<String> virtual =
        groups.stream()
            .filter(group -> group.runs().get(0).info().configured("engine", "").equals("sim"))
            .map(RunGroup::label)
            .toList();
    return new VirtualTime(virtual, !virtual.isEmpty() && virtual.size() == groups.size());
  }

  /** The same with time axes named, where all of them are virtual. */
  Content named(Content content) {
    Axes axes = content.frame();
    return all ? new Content(axes.of(named(axes.x()), named(axes.y())), content.series()) : content;
  }

  private static Quantity named(Quantity quantity) {
    if (quantity.equals(Quantity.TIME)) {
      return SECONDS;
    }
    return quantity.equals(Quantity.MINUTES) ? MINUTES : quantity;
  }

  /** Which groups are meant where only some are; empty else. */
  String caption() {
    return all || virtual.isEmpty() ? "" : "Time is virtual in " + String.join("; ", virtual) + ".";
  }
}
