package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemesTest {
  @Test
  void ambNeedsItsTwoOptionsAndSaysSoAtOnce() {
    var e =
        assertThrows(
            UsageException.class, () -> Schemes.named("amb").create(new SchemeOptions(64, 3)));
    var problems = e.getMessage().lines().toList();
    assertEquals(2, problems.size());
    assertTrue(problems.get(0).contains("--amb-time-limit"));
    assertTrue(problems.get(1).contains("--amb-num-partitions"));
  }

  @Test
  void thereAreNoMorePartitionsThanExamples() {
    var e =
        assertThrows(
            UsageException.class,
            () ->
                Schemes.named("amb")
                    .create(
                        new SchemeOptions(64, 3)
                            .with(AnytimeOptions.TIME_LIMIT, 1.0)
                            .with(AnytimeOptions.NUM_PARTITIONS, 65)));
    assertEquals(
        "--amb-num-partitions: expected 1 to 64 (the batch size), found 65", e.getMessage());
  }

  @Test
  void anOptionIsFoundByItsName() {
    SchemeOptions given = new SchemeOptions(8, 3).with(Setting.integer("s", 8, 1), 2);
    assertEquals(2, given.get(Setting.integer("s", 8, 1)));
  }

  @Test
  void stepsThatNeverEndAreRejected() {
    assertEquals(
        "--amb-time-limit: expected seconds, found inf, which ends no step",
        rejection("anytime-sgd", limited(Double.POSITIVE_INFINITY)));
    assertEquals(
        "--amb-time-limit: expected seconds, found auto, which only scheme amb with workers has",
        rejection("anytime-sgd", limited(AnytimeOptions.AUTO)));
    Schemes.named("anytime-sgd").create(limited(1));
  }

  private static SchemeOptions limited(double limit) {
    return new SchemeOptions(8, 3).with(AnytimeOptions.TIME_LIMIT, limit);
  }

  @Test
  void onlyTheWordAutoIsAuto() {
    for (String text : List.of("-1", "0", "nan")) {
      assertThrows(
          UsageException.class,
          () -> new SchemeOptions(8, 3).withText(AnytimeOptions.TIME_LIMIT, text),
          text);
    }
  }

  @Test
  void moreGradientsThanWorkersAreRejected() {
    assertEquals(
        "--num-aggregate: expected 1 to 3 (the number of workers), found 4",
        rejection("k-sync", new SchemeOptions(8, 3).with(KSync.NUM_AGGREGATE, 4)));
    assertEquals(
        "--num-aggregate: expected integer, 1 or more, found 0",
        rejection("k-sync", new SchemeOptions(8, 3).with(KSync.NUM_AGGREGATE, 0)));
  }

  @Test
  void oneProcessAloneCannotDoWithoutWorkers() {
    for (String name : List.of("coded", "async", "fmb-dg", "esync")) {
      assertEquals(
          "--workers: expected at least 1 with scheme " + name + ", found 0",
          rejection(name, new SchemeOptions(10, 0)));
    }
  }

  @Test
  void anOptionOfAnotherSchemeIsRejected() {
    assertEquals(
        "scheme ssp: has no use for --num-aggregate, which belongs to k-sync; leave it out or"
            + " change the scheme",
        rejection(
            "ssp", new SchemeOptions(8, 3).with(Ssp.STALENESS, 1L).with(KSync.NUM_AGGREGATE, 2)));
  }

  @Test
  void everyOptionHasOneMeaning() {
    List<String> names = Schemes.ALL.options().stream().map(Setting::name).toList();
    assertEquals(names.size(), Set.copyOf(names).size());
  }

  private static String rejection(String scheme, SchemeOptions options) {
    return assertThrows(UsageException.class, () -> Schemes.named(scheme).create(options))
        .getMessage();
  }

  @Test
  void anUnknownNameIsAnsweredWithANearOne() {
    var e = assertThrows(UsageException.class, () -> Schemes.named("fbm"));
    assertTrue(e.getMessage().contains("unknown scheme 'fbm'"));
    assertTrue(e.getMessage().contains("fmb"));
  }
}
