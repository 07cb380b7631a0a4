package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.scheme.Schemes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("system")
class OurSchemesTest extends SchemeContract {
  @Override
  protected List<String> schemes() {
    return List.of(
        "fmb",
        "sync",
        "amb --amb-time-limit 0.2 --amb-num-partitions 8",
        "amb --amb-time-limit auto --amb-num-partitions 4",
        "amb --amb-time-limit auto:accuracy --amb-num-partitions 4",
        "k-sync --num-aggregate 2",
        "async",
        "async --gradients-per-update 3",
        "ssp --staleness 1",
        "dcasgd",
        "dcasgd --dcasgd-mode adaptive",
        "amb-dg --amb-time-limit 0.2 --amb-num-partitions 8",
        "amb-dg --amb-time-limit 0.2 --amb-num-partitions 8 --async-master time",
        "fmb-dg --async-master-batch-min 3",
        "local-sgd --local-steps 3",
        "local-sgd --local-steps 3 --local-steps-after 5",
        "fedavg --local-epochs 0.003",
        "fedavg --local-epochs 0.002 --client-fraction 0.6",
        "fedprox --local-epochs 0.003",
        "fedbuff --local-epochs 0.003 --buffer-size 2",
        "fedbuff --local-epochs 0.003 --buffer-size 4 --dispatch 2",
        "scaffold --local-epochs 0.003",
        "fedcompass --local-steps-min 2 --local-steps-max 4",
        "fedcompass --local-steps-min 2 --local-steps-max 4 --local-steps-after 4",
        "diloco --local-steps 3",
        "streaming-diloco --local-steps 4",
        "decoupled-diloco --local-steps 4 --local-steps-after 4",
        "decoupled-diloco --local-steps 4 --quorum 2",
        "async-diloco --local-steps 4",
        "async-diloco --local-steps 3 --local-steps-by none --momentum-interval 1",
        "anytime-sgd --amb-time-limit 0.5",
        "esync",
        "esync --esync-partitions 4 --esync-weighting steps",
        "coded --coded-stragglers 1",
        "delay-adaptive",
        "ringmaster --delay-threshold 3",
        "ringmaster --delay-threshold 2 --outdated restart --restart-partitions 4",
        "rennala --gradients-per-update 3",
        "rennala --gradients-per-update 3 --outdated restart",
        "malenia",
        "malenia --gradients-per-update 5 --outdated restart --restart-partitions 4",
        "ringleader",
        "ia2sgd",
        "rescaled-asgd",
        "amb-graph --amb-time-limit 0.2 --amb-num-partitions 8 --consensus-rounds 3",
        "fmb-graph --graph complete",
        "noloco --local-steps 3");
  }

  @Override
  protected boolean needsAllWorkers(String scheme) {
    return name(scheme).equals("coded");
  }

  /** Nodes of a graph agree on sums of gradients, which scaffold takes changes for. */
  @Override
  protected String rule(String scheme, String usual) {
    String scaffold = name(scheme).equals("scaffold") ? "sgd" : usual;
    return name(scheme).endsWith("-graph") ? "dual-averaging" : scaffold;
  }

  /** Results of coded have sums over the same batches. */
  @Override
  protected long countedExamples(String scheme, long gathered) {
    return name(scheme).equals("coded") ? 3 * 16 : gathered;
  }

  @Test
  void noSchemeIsLeftOut() {
    Set<String> expected = new TreeSet<>(Schemes.ALL.names());
    expected.remove("my-rennala"); // The example, which is on this class path, too.
    assertEquals(
        expected, schemes().stream().map(OurSchemesTest::name).collect(Collectors.toSet()));
  }

  private static String name(String scheme) {
    return scheme.split(" ")[0];
  }
}
