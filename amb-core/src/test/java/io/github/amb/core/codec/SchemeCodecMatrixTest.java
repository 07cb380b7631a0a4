package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scheme with every codec, addition and downlink codec trains or is rejected. */
class SchemeCodecMatrixTest {
  /** How much less accurate than without codecs a cell may be that trains. */
  private static final double MARGIN = 0.2;

  /** Every codec, with ratios for a vector of 246 entries. */
  private static final List<String> CODECS =
      List.of(
          "none",
          "fp16",
          "bf16",
          "int8",
          "topk:0.2",
          "dgc:0.2",
          "demo:8,chunk=8",
          "randomk:0.2",
          "adacomp:0.2",
          "threshold:0.2",
          "qsgd:4",
          "terngrad:bucket=64",
          "terngrad:clip=2.5",
          "atomo-svd:2",
          "atomo-entry:0.2",
          "powersgd:2",
          "signsgd",
          "ef-sign",
          "onebit",
          "sketchml",
          "lss:0.2");

  /** Codecs whose vote, staleness, memory or unbounded error allows no addition. */
  private static final Set<String> ALONE =
      Set.of(
          "dgc:0.2",
          "demo:8,chunk=8",
          "adacomp:0.2",
          "terngrad:clip=2.5",
          "signsgd",
          "ef-sign",
          "onebit",
          "sketchml");

  /** Codecs that send few entries, so that the others keep their momentum. */
  private static final Set<String> SPARSE = Set.of("topk:0.2", "randomk:0.2", "threshold:0.2");

  /** Schemes whose workers send changes of parameters, which no vote can replace. */
  private static final Set<String> DELTAS =
      Set.of(
          "local-sgd",
          "diloco",
          "async-diloco",
          "streaming-diloco",
          "decoupled-diloco",
          "anytime-sgd",
          "esync",
          "fedavg",
          "fedprox",
          "fedbuff",
          "scaffold",
          "fedcompass");

  /** Schemes that take vectors as they are alone. */
  private static final Set<String> EXACT = Set.of("coded", "scaffold", "noloco");

  /** Schemes whose workers send differences to each other, which need no memory of errors. */
  private static final Set<String> GRAPHS = Set.of("amb-graph", "fmb-graph");

  private static final List<String> ADDITIONS =
      List.of("", "+ef", "+ef21", "+momentum=0.5", "+after=9");

  private static final List<String> DOWNLINKS = List.of("none", "int8+min=1", "topk:0.3+min=1");

  private static final double RATE = 0.05;

  static Stream<String> schemes() {
    return SchemeSamples.first().stream();
  }

  /** Every uplink codec, each with one of the downlink codecs. */
  @ParameterizedTest
  @MethodSource("schemes")
  @Tag("system")
  void everyUplinkTrainsOrIsRejected(String scheme) {
    assertTrain(scheme, 1);
  }

  /** Every uplink codec with the other downlink codecs: with the test above, every cell. */
  @ParameterizedTest
  @MethodSource("schemes")
  @Tag("lab")
  void everyOtherCellTrainsOrIsRejected(String scheme) {
    for (int other = 2; other <= DOWNLINKS.size(); other++) {
      assertTrain(scheme, other);
    }
  }

  /** Trains with every uplink codec and its nth downlink codec, on all cores. */
  private static void assertTrain(String scheme, int nth) {
    CodedRun without = new CodedRun(scheme, "none", "none", RATE);
    without.assertLearnt(scheme);
    double plain = without.accuracy();
    List<String> uplinks = uplinks();
    Map<String, Double> failed = new ConcurrentSkipListMap<>();
    IntStream.range(0, uplinks.size())
        .parallel()
        .forEach(
            i -> {
              String uplink = uplinks.get(i);
              String downlink = DOWNLINKS.get((i / ADDITIONS.size() + nth - 1) % DOWNLINKS.size());
              if (isAccepted(scheme, uplink, downlink)) {
                double accuracy = new CodedRun(scheme, uplink, downlink, RATE).accuracy();
                if (!(accuracy > CodedRun.CHANCE && accuracy >= plain - MARGIN)) {
                  failed.put(uplink + " down " + downlink, accuracy);
                }
              }
            });
    assertEquals(Map.of(), failed, "accuracies, beside " + plain + " without codecs");
  }

  private static List<String> uplinks() {
    List<String> uplinks = new ArrayList<>();
    for (String codec : CODECS) {
      ADDITIONS.forEach(addition -> uplinks.add(codec + "+min=1" + addition));
    }
    return uplinks;
  }

  /** A cell that is rejected by mistake would not be trained, and nobody would notice. */
  @Test
  void onlyWhatCannotWorkIsRejected() {
    for (String scheme : SchemeSamples.first()) {
      String name = scheme.split(" ")[0];
      for (String codec : CODECS) {
        boolean votes = codec.equals("signsgd") && DELTAS.contains(name);
        boolean corrected = name.equals("dcasgd") && codec.matches("signsgd|adacomp.*");
        boolean fits = EXACT.contains(name) ? codec.equals("none") : !votes && !corrected;
        for (String addition : ADDITIONS) {
          boolean graph =
              !GRAPHS.contains(name) || addition.matches("|.after=9") && !ALONE.contains(codec);
          boolean works = fits && graph && (addition.isEmpty() || takes(codec, addition));
          String uplink = codec + "+min=1" + addition;
          assertEquals(works, isAccepted(scheme, uplink, "none"), scheme + " " + uplink);
        }
      }
      for (String downlink : DOWNLINKS) {
        boolean sent = !name.matches("dcasgd|noloco") && !GRAPHS.contains(name);
        boolean works = downlink.equals("none") || sent;
        assertEquals(works, isAccepted(scheme, "none", downlink), scheme + " down " + downlink);
      }
    }
  }

  private static boolean takes(String codec, String addition) {
    return addition.startsWith("+after")
        || (addition.startsWith("+momentum") ? SPARSE.contains(codec) : !ALONE.contains(codec));
  }

  private static boolean isAccepted(String scheme, String uplink, String downlink) {
    Scheme made = CodedRun.scheme(scheme);
    try {
      return new Codings(Codecs.parse(uplink), Codecs.parse(downlink))
          .problems(scheme, made.uplink(), made.needsExactParameters())
          .isEmpty();
    } catch (UsageException e) {
      return false;
    }
  }

  /** Their error has no bound, which the next difference would be computed from. */
  @Test
  void whatAmplifiesErrorsIsNoDownlink() {
    for (String downlink : List.of("terngrad:clip=2.5", "sketchml")) {
      assertTrue(!isAccepted("fmb", "none", downlink), downlink);
    }
    assertTrue(isAccepted("coded", "none+zstd", "none"));
  }

  @Test
  void noCodecIsLeftOut() {
    assertEquals(new TreeSet<>(Codecs.ALL.names()), heads(CODECS));
  }

  private static TreeSet<String> heads(List<String> texts) {
    return texts.stream()
        .map(text -> Arrays.asList(text.split(":")).get(0))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
