package io.github.amb.plots.panel;

import java.util.List;

/**
 * One line of a panel.
 *
 * @param group index of the group of runs that it shows, which determines its color and dashes
 * @param points by ascending x, all finite
 */
public record Series(int group, List<Point> points) {}
