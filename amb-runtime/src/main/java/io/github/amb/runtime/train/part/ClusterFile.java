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

/**
 * Reads the value of {@code --cluster}: a YAML file of nodes, one of those that ship, or the same
 * in one line. What it leaves out is as other options say.
 */
public final class ClusterFile {
  /** Names of the files that ship. */
  public static final List<String> SHIPPED =
      List.of("birch-links", "cedar", "ec2-2019", "fail-slow", "halos", "niagara", "spot");

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
   * The cluster that the settings describe, whose episodes begin anew.
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
    return settings.has(CLUSTER) && !SHIPPED.contains(settings.get(CLUSTER))
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
      if (SHIPPED.contains(given)) {
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
          OPTION, String.join(", ", SHIPPED), FileFailure.text(e));
    }
  }

  private List<Node> nodes(YamlSection top) {
    int workers = settings.get(WORKERS);
    PlacedValue master = top.get("master");
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Group(master == null ? NOTHING : master).node(Communicator.MASTER));
    List<PlacedValue> items = top.items("nodes");
    List<PlacedValue> groups = items.isEmpty() ? List.of(NOTHING) : items;
    for (int i = 0; i < groups.size(); i++) {
      Group group = new Group(groups.get(i));
      long count = group.at.whole("workers", 1, 1);
      if (count > workers + 1 - nodes.size()) {
        group.at.problem(
            "workers", "expected at most %d in all, as --workers says".formatted(workers));
        return nodes;
      }
      long end = i == groups.size() - 1 ? workers + 1 : nodes.size() + count;
      while (nodes.size() < end) {
        nodes.add(group.node(nodes.size()));
      }
    }
    return nodes;
  }

  /** Nodes that are described together. */
  private final class Group {
    private final int number = groups++;
    private final PlacedValue value;
    private final Map<String, Episodes> shared = new HashMap<>();
    private List<String> found = problems;
    private YamlSection at;
    private int rank;

    Group(PlacedValue value) {
      this.value = value;
      at = new YamlSection(value, "", problems);
    }

    Node node(int of) {
      rank = of;
      boolean master = rank == Communicator.MASTER;
      List<Double> speeds = settings.get(SPEED);
      double usual = master ? 1 : speeds.get(Math.min(rank, speeds.size()) - 1);
      Node node =
          new Node(
              at.number("speed", usual, LEAST),
              master ? DelayModel.NONE : delays(),
              slowdown(at, "slow", "slow"),
              master ? null : episodes(at, "failures", "failures"),
              link());
      at.end();
      found = new ArrayList<>(); // The other nodes have the same problems.
      at = new YamlSection(value, "", found);
      at.get("workers");
      return node;
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

    private Link link() {
      YamlSection link = section(at, "link");
      double both = link.number("bandwidth", settings.get(BANDWIDTH), LEAST);
      Link made =
          new Link(
              link.number("up", both, LEAST),
              link.number("down", both, LEAST),
              link.number("latency", settings.get(LATENCY), 0),
              link.number("jitter", 0, 0),
              slowdown(link, "slow", "link slow"),
              link.text("rack", ""));
      link.end();
      return made;
    }

    private Slowdown slowdown(YamlSection parent, String key, String path) {
      Episodes episodes = episodes(parent, key, path);
      return episodes == null
          ? Slowdown.NONE
          : new Slowdown(episodes, section(parent, key).number("factor", 2, 1));
    }

    /** The episodes of that name; null if there are none. */
    private Episodes episodes(YamlSection parent, String key, String path) {
      if (parent.get(key) == null) {
        return null;
      }
      YamlSection times = section(parent, key);
      times.required("length");
      times.required("gap");
      double length = Clock.NANOS_PER_SECOND * times.number("length", 1, LEAST);
      double gap = Clock.NANOS_PER_SECOND * times.number("gap", 1, LEAST);
      boolean failures = path.equals("failures");
      if (!failures) {
        times.get("factor");
      }
      boolean together = times.word("shared", "false", WORDS).equals("true");
      times.end();
      int owner = together ? -number : rank;
      Episodes episodes =
          new Episodes(length, gap, !failures, streams.stream("cluster " + path, owner, 0));
      return together ? shared.computeIfAbsent(path, each -> episodes) : episodes;
    }

    private YamlSection section(YamlSection parent, String key) {
      PlacedValue given = parent.get(key);
      return new YamlSection(given == null ? NOTHING : given, key, found);
    }
  }
}
