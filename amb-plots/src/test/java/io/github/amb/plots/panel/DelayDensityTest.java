package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayDensityTest {
  @TempDir Path folder;

  @Test
  void densityOfAMixtureHoldsWhatIsNoAtom() {
    List<RunGroup> groups = groups(new ExampleRun("amb").with("induce", "niagara"));
    Panel panel = Panels.named("comp_straggler_dist");

    List<Point> points = panel.series(groups, View.PLAIN).get(0).points();

    // niagara's atom at 0 has 0.4: the rest is under the curve.
    double area = 0;
    for (int i = 1; i < points.size(); i++) {
      Point a = points.get(i - 1);
      Point b = points.get(i);
      area += (b.x() - a.x()) * (a.y() + b.y()) / 2;
    }
    assertEquals(0.6, area, 1e-3);
    assertEquals(
        "Probability of a single delay, beside the density: 0.4 at 0.0 s.", panel.caption(groups));
  }

  @Test
  void heldMessagesAreHalfNormal() {
    List<RunGroup> groups = groups(new ExampleRun("fmb-dg").with("async-delay-std", "0.5"));

    Point first =
        Panels.named("comm_straggler_dist").series(groups, View.PLAIN).get(0).points().get(0);

    assertEquals(Math.sqrt(2 / Math.PI) / 0.5, first.y(), 1e-9);
  }

  @Test
  void runWithoutDelaysHasNone() {
    List<RunGroup> groups = groups(new ExampleRun("fmb").with("induce", "none"));

    assertTrue(Panels.named("comp_straggler_dist").series(groups, View.PLAIN).isEmpty());
    assertTrue(Panels.named("comm_straggler_dist").series(groups, View.PLAIN).isEmpty());
  }

  private List<RunGroup> groups(ExampleRun run) {
    return RunGroup.of(RunReader.readAll(List.of(run.write(folder))));
  }
}
