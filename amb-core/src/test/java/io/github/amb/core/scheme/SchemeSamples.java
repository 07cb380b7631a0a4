package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What tests of every scheme run: all schemes that are registered, some in several ways. */
public final class SchemeSamples {
  /** Options by scheme, as {@code name=value}, separated by blanks; others have none. */
  private static final Map<String, List<String>> WAYS =
      Map.ofEntries(
          Map.entry(
              "amb",
              List.of(
                  "amb-time-limit=0.03 amb-num-partitions=4",
                  "amb-time-limit=auto amb-num-partitions=4")),
          Map.entry("k-sync", List.of("num-aggregate=2")),
          Map.entry("async", List.of("", "gradients-per-update=2")),
          Map.entry("ssp", List.of("staleness=1", "staleness=0")),
          Map.entry("dcasgd", List.of("", "dcasgd-mode=adaptive")),
          Map.entry(
              "amb-dg",
              List.of(
                  "amb-time-limit=0.03 amb-num-partitions=4",
                  "amb-time-limit=0.03 amb-num-partitions=4 async-master=time async-delay-std=0.01")),
          Map.entry("fmb-dg", List.of("async-master-batch-min=2")),
          Map.entry("local-sgd", List.of("local-steps=2", "local-steps=3 local-steps-after=5")),
          Map.entry("fedavg", List.of("", "client-fraction=0.5 local-epochs=0.3")),
          Map.entry("fedprox", List.of("proximal-mu=0.1")),
          Map.entry("fedbuff", List.of("buffer-size=2", "buffer-size=3 dispatch=2")),
          Map.entry("scaffold", List.of("", "client-fraction=0.5")),
          Map.entry("fedcompass", List.of("local-steps-min=2 local-steps-max=6")),
          Map.entry("diloco", List.of("local-steps=2 outer-momentum=0.9")),
          Map.entry("async-diloco", List.of("local-steps=4", "local-steps=2 local-steps-by=none")),
          Map.entry(
              "streaming-diloco",
              List.of("local-steps=4 outer-momentum=0", "local-steps=2 fragments=1 mixing=0")),
          Map.entry(
              "decoupled-diloco",
              List.of(
                  "local-steps=4 quorum=2",
                  "local-steps=3 fragments=1 quorum=3 outer-average=mean")),
          Map.entry("anytime-sgd", List.of("amb-time-limit=0.03")),
          Map.entry("esync", List.of("", "esync-partitions=2 esync-weighting=steps")),
          Map.entry(
              "coded",
              List.of("coded-stragglers=1", "coded-stragglers=0 coded-repetition=fractional")),
          Map.entry(
              "ringmaster",
              List.of(
                  "delay-threshold=2", "delay-threshold=1 outdated=restart restart-partitions=3")),
          Map.entry(
              "rennala",
              List.of("gradients-per-update=2", "gradients-per-update=2 outdated=restart")),
          Map.entry("malenia", List.of("", "gradients-per-update=5 outdated=restart")),
          Map.entry("noloco", List.of("local-steps=2")),
          Map.entry(
              "amb-graph",
              List.of(
                  "amb-time-limit=0.03 amb-num-partitions=4",
                  "amb-time-limit=0.03 amb-num-partitions=4 graph=complete consensus-time=0.001")));

  private SchemeSamples() {}

  /** Every registered scheme in all its ways: its name, then options. */
  public static List<String> all() {
    return Schemes.ALL.names().stream().flatMap(SchemeSamples::ways).toList();
  }

  /** Every registered scheme in its first way. */
  public static List<String> first() {
    return Schemes.ALL.names().stream().map(name -> ways(name).findFirst().get()).toList();
  }

  private static Stream<String> ways(String name) {
    return WAYS.getOrDefault(name, List.of("")).stream().map(way -> (name + " " + way).strip());
  }

  /**
   * Makes a scheme.
   *
   * @param text its name, then options as {@code name=value}, separated by blanks
   */
  public static Scheme make(String text, int batchSize, int workers) {
    String[] words = text.split(" ");
    SchemeOptions options = new SchemeOptions(batchSize, workers);
    for (String word : List.of(words).subList(1, words.length)) {
      String[] pair = word.split("=");
      Setting<?> option =
          Schemes.ALL.options().stream().filter(o -> o.name().equals(pair[0])).findFirst().get();
      options = options.withText(option, pair[1]);
    }
    return Schemes.named(words[0]).create(options);
  }
}
