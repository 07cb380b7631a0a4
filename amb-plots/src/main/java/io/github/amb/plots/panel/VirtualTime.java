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
  static VirtualTime of(List<RunGroup> groups) {
    List<String> virtual =
        groups.stream()
            .filter(group -> group.runs().get(0).isVirtual())
            .map(RunGroup::label)
            .toList();
    return new VirtualTime(virtual, !virtual.isEmpty() && virtual.size() == groups.size());
  }

  /** The same with axes of time named, where all times are virtual. */
  Content named(Content content) {
    Axes axes = content.frame();
    return all
        ? new Content(axes.of(axes.x().virtual(), axes.y().virtual()), content.series())
        : content;
  }

  /** Which groups are meant where only some are, and a panel shows a time; empty else. */
  String caption(List<Content> contents) {
    boolean times =
        contents.stream()
            .map(Content::frame)
            .anyMatch(axes -> axes.x().isTime() || axes.y().isTime());
    return all || virtual.isEmpty() || !times
        ? ""
        : "Time is virtual in " + String.join("; ", virtual) + ".";
  }
}
