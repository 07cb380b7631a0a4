package io.github.amb.plots.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.ExampleRun;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunGroupTest {
  @TempDir Path folder;

  @Test
  void runsThatDifferOnlyInSeedAreOneGroup() {
    List<RunGroup> groups =
        groups(
            new ExampleRun("amb").id("a1").seed(1).with("seed", 1),
            new ExampleRun("fmb"),
            new ExampleRun("amb").id("a2").seed(2).with("seed", 2));

    assertEquals(List.of("amb rms 64 (2 seeds)", "fmb rms 64"), labels(groups));
    assertEquals(2, groups.get(0).runs().size());
  }

  @Test
  void measuredCostsAreNoDifference() {
    for (String cost : List.of("measured", "given")) {
      List<RunGroup> groups =
          groups(
              new ExampleRun("amb")
                  .id(cost + 1)
                  .seed(1)
                  .with("cost", cost)
                  .with("cost-per-example", 1e-3),
              new ExampleRun("amb")
                  .id(cost + 2)
                  .seed(2)
                  .with("cost", cost)
                  .with("cost-per-example", 2e-3));

      assertEquals(cost.equals("measured") ? 1 : 2, groups.size(), cost);
    }
  }

  @Test
  void whatOnlyTheStandaloneRunLacksIsNotSaidOfTheOthers() {
    ExampleRun alone = new ExampleRun("fmb").id("alone").with("workers", 0).with("engine", "mpj");
    ExampleRun even = new ExampleRun("fmb").id("even").with("workers", 6).with("engine", "sim");
    ExampleRun uneven = new ExampleRun("fmb").id("uneven").with("workers", 6).with("engine", "sim");

    assertEquals(
        List.of("fmb rms 64 standalone", "fmb rms 64, shards even", "fmb rms 64, shards by-class"),
        labels(
            groups(
                alone.with("latency", 0).with("shards", "even"),
                even.with("latency", 0.000123456).with("shards", "even"),
                uneven.with("latency", 0.000123456).with("shards", "by-class"))));
  }

  @Test
  void runsOfTheSameSeedStandApart() {
    assertEquals(
        List.of("amb rms 64, a1", "amb rms 64, a2"),
        labels(groups(new ExampleRun("amb").id("a1"), new ExampleRun("amb").id("a2"))));
  }

  @Test
  void labelsSayWhatDiffersBetweenTheRunsThatHaveIt() {
    assertEquals(
        List.of("fmb rms 64, workers 4", "amb rms 64, workers 4", "amb rms 64, workers 8"),
        labels(
            groups(
                new ExampleRun("fmb").with("workers", 4),
                new ExampleRun("amb").with("workers", 4).with("amb_time_limit", 6.2).id("x"),
                new ExampleRun("amb").with("workers", 8).with("amb_time_limit", 6.2).id("y"))));
  }

  @Test
  void labelsSayWhatOnlyOneOfTwoAlikeHas() {
    assertEquals(
        List.of("fmb rms 64", "fmb rms 64, codec qsgd"),
        labels(
            groups(
                new ExampleRun("fmb").id("plain").with("codec", null),
                new ExampleRun("fmb").id("coded").with("codec", "qsgd"))));
  }

  @Test
  void anOptionThatAnOlderBuildDidNotHaveIsNoDifference() {
    assertEquals(
        List.of("fmb rms 64 (2 seeds)"),
        labels(
            groups(
                new ExampleRun("fmb").id("old").seed(1).with("amb_workers", 4),
                new ExampleRun("fmb").id("now").seed(2).with("amb_workers", 4).with("part", 0.0))));
  }

  @Test
  void anOptionThatAnOlderBuildDidNotHaveIsADifferenceOfTheOthers() {
    assertEquals(
        List.of("fmb rms 64", "fmb rms 64, part 0.0", "fmb rms 64, part 0.1"),
        labels(
            groups(
                new ExampleRun("fmb").id("old").seed(1),
                new ExampleRun("fmb").id("now").seed(2).with("part", 0.0),
                new ExampleRun("fmb").id("new").seed(3).with("part", 0.1))));
  }

  @Test
  void manyRunsHaveDifferentLabelsOfBoundedLength() {
    String longValue = "v".repeat(200);
    List<RunGroup> groups =
        groups(
            IntStream.range(0, 50)
                .mapToObj(i -> new ExampleRun("amb").id("run" + i).with("note", longValue + i))
                .toArray(ExampleRun[]::new));

    assertEquals(50, new HashSet<>(labels(groups)).size());
    labels(groups).forEach(label -> assertTrue(label.length() <= 90, label));
  }

  private List<RunGroup> groups(ExampleRun... runs) {
    return RunGroup.of(RunReader.readAll(Stream.of(runs).map(run -> run.write(folder)).toList()));
  }

  private static List<String> labels(List<RunGroup> groups) {
    return groups.stream().map(RunGroup::label).toList();
  }
}
