package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.ClusterModel;
import io.github.amb.core.sim.ClusterModel.Link;
import io.github.amb.core.sim.ClusterModel.Node;
import io.github.amb.core.sim.ClusterModel.Slowdown;
import io.github.amb.core.sim.Episodes;
import io.github.amb.runtime.config.PlacedValue;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.YamlSection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Reads the value of {@code --cluster}: a YAML file of nodes, one of those that ship, or the same
 * in one line. What it leaves out is as other options say.
 */
public final class ClusterFile {
  private static final String OPTION = "--cluster";
  private static final int VERSION = 1;
  private static final double LEAST = Double.MIN_VALUE;
  private static final List<String> WORDS = List.of("false", "true");
  private static final PlacedValue NOTHING = new PlacedValue("", null, null, Map.of());

  private final Settings settings;
  private final Streams streams;
  private final List<String> problems;
  private int groups;

  private ClusterFile(Settings settings, long seed, List<String> problems) {
    this.settings = settings;
    this.problems = problems;
    streams = new Streams(seed);
  }

  /**
   * The cluster that the settings describe, with episodes of its own.
   *
   * @throws UsageException listing all that is wrong, each with its place
   */
  public static ClusterModel read(Settings settings) {
    List<String> problems = new ArrayList<>();
    boolean given = settings.has(CLUSTER);
    PlacedValue value = given ? value(settings.get(CLUSTER)) : NOTHING;
    YamlSection top = new YamlSection(value, "", problems);
    if (given && top.whole("version", 0, 1) != VERSION) {
      top.problem("version", "expected 'version: " + VERSION + "'");
    }
    top.text("source", "");
    long seed = top.whole("seed", settings.get(SEED), 0);
    ClusterFile file = new ClusterFile(settings, seed, problems);
    List<Node> nodes = file.nodes(top);
    Map<String, Double> trunks = new HashMap<>();
    for (String rack : top.fields("trunks").keySet()) {
      YamlSection all = new YamlSection(top.get("trunks"), "trunks", problems);
      trunks.put(rack, all.number(rack, Double.POSITIVE_INFINITY, LEAST));
    }
    top.end();
    UsageException.expectNone(problems);
    return new ClusterModel(nodes, trunks, seed);
  }

  /** The settings with a cluster that does not ship in one line, so that the run needs no file. */
  public static Settings inOneLine(Settings settings) {
    return settings.has(CLUSTER) && !CLUSTERS.contains(settings.get(CLUSTER))
        ? settings.with(CLUSTER, value(settings.get(CLUSTER)).json())
        : settings;
  }

  private static PlacedValue value(String given) {
    String expected = "'key: value' lines";
    try {
      if (given.startsWith("{")) {
        byte[] content = given.getBytes(StandardCharsets.UTF_8);
        return PlacedValue.ofYaml(OPTION, content, expected);
      }
      if (CLUSTERS.contains(given)) {
        String name = "/io/github/amb/runtime/clusters/" + given + ".yaml";
        try (InputStream file = ClusterFile.class.getResourceAsStream(name)) {
          return PlacedValue.ofYaml(given, file.readAllBytes(), expected);
        }
      }
      byte[] content = BoundedFile.readNamed(given, "a cluster", DataLimits.CONFIG_BYTES);
      return PlacedValue.ofYaml(given, content, expected);
    } catch (IOException e) {
      throw new UsageException(
          "%s: expected a YAML file, or one of %s; %s",
          OPTION, String.join(", ", CLUSTERS), FileFailure.text(e));
    }
  }

  private List<Node> nodes(YamlSection top) {
    int workers = settings.get(WORKERS);
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Group(top.section("master"), true).node(Communicator.MASTER));
    List<PlacedValue> items = top.items("nodes");
    List<PlacedValue> groups = items.isEmpty() ? List.of(NOTHING) : items;
    for (int i = 0; i < groups.size(); i++) {
      Group group = new Group(new YamlSection(groups.get(i), "", problems), false);
      if (group.workers > workers + 1 - nodes.size()) {
        group.at.problem(
            "workers", "expected at most %d in all, as --workers says".formatted(workers));
        return nodes;
      }
      long end = i == groups.size() - 1 ? workers + 1 : nodes.size() + group.workers;
      while (nodes.size() < end) {
        nodes.add(group.node(nodes.size()));
      }
    }
    return nodes;
  }

  /** Nodes that are described together; each has episodes of its own, unless they are shared. */
  private final class Group {
    private final int number = groups++;
    private final YamlSection at;
    private final long workers;
    private final double speed;
    private final DelayModel delays;
    private final IntFunction<Slowdown> slow;
    private final IntFunction<Episodes> failures;
    private final IntFunction<Link> link;

    Group(YamlSection given, boolean master) {
      at = given;
      workers = master ? 1 : at.whole("workers", 1, 1);
      speed = at.number("speed", Double.NaN, LEAST);
      delays = master ? DelayModel.NONE : delays();
      slow = slowdown(at, "slow");
      failures = master ? rank -> null : episodes(at, "failures", "failures");
      link = link();
      at.end();
    }

    Node node(int rank) {
      double given = Double.isNaN(speed) ? usualSpeed(rank) : speed;
      return new Node(given, delays, slow.apply(rank), failures.apply(rank), link.apply(rank));
    }

    private double usualSpeed(int rank) {
      List<Double> speeds = settings.get(SPEED);
      return rank == Communicator.MASTER ? 1 : speeds.get(Math.min(rank, speeds.size()) - 1);
    }

    private DelayModel delays() {
      String name = at.text("delays", settings.get(INDUCE));
      try {
        return DelayModels.named(name).scaled(settings.get(INDUCE_SCALE));
      } catch (UsageException e) {
        at.problem("delays", e.getMessage().replace("\n", "; "));
        return DelayModel.NONE;
      }
    }

    private IntFunction<Link> link() {
      YamlSection link = at.section("link");
      double both = link.number("bandwidth", settings.get(BANDWIDTH), LEAST);
      double up = link.number("up", both, LEAST);
      double down = link.number("down", both, LEAST);
      double latency = link.number("latency", settings.get(LATENCY), 0);
      double jitter = link.number("jitter", 0, 0);
      IntFunction<Slowdown> times = slowdown(link, "link slow");
      String rack = link.text("rack", "");
      link.end();
      return rank -> new Link(up, down, latency, jitter, times.apply(rank), rack);
    }

    private IntFunction<Slowdown> slowdown(YamlSection parent, String stream) {
      if (parent.get("slow") == null) {
        return rank -> Slowdown.NONE;
      }
      double factor = parent.section("slow").number("factor", 2, 1);
      IntFunction<Episodes> episodes = episodes(parent, "slow", stream);
      return rank -> new Slowdown(episodes.apply(rank), factor);
    }

    /** The episodes of a rank; null if there are none. */
    private IntFunction<Episodes> episodes(YamlSection parent, String key, String stream) {
      if (parent.get(key) == null) {
        return rank -> null;
      }
      boolean failures = key.equals("failures");
      YamlSection times = parent.section(key);
      times.required("length");
      times.required("gap");
      double length = Clock.NANOS_PER_SECOND * times.number("length", 1, LEAST);
      double gap = Clock.NANOS_PER_SECOND * times.number("gap", 1, LEAST);
      if (!failures) {
        times.get("factor");
      }
      boolean together = times.word("shared", "false", WORDS).equals("true");
      times.end();
      IntFunction<Episodes> of =
          owner ->
              new Episodes(length, gap, !failures, streams.stream("cluster " + stream, owner, 0));
      if (!together) {
        return of;
      }
      Episodes all = of.apply(-number);
      return rank -> all;
    }
  }
}
