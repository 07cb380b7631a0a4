package io.github.amb.runtime.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Plans;
import io.github.amb.runtime.launch.RunOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every scheme on real processes over MPJ Express, one after the other on the same ranks. */
@Tag("lab")
class SchemesOnProcessesTest {
  private static final int RANKS = 4;

  /** Whose parameters do not depend on who comes first: the same bits on every engine. */
  private static final List<String> DETERMINISTIC =
      List.of(
          "fmb",
          "fmb:topology=sliced",
          "sync",
          "amb:amb-time-limit=inf:amb-num-partitions=3",
          "amb:amb-time-limit=inf:amb-num-partitions=3:topology=sliced",
          "k-sync:num-aggregate=3",
          "local-sgd:local-steps=3",
          "diloco:local-steps=2",
          "noloco:local-steps=2",
          "streaming-diloco:local-steps=4",
          "fmb-graph:consensus-rounds=2",
          "amb-graph:amb-time-limit=inf:amb-num-partitions=3:graph=complete");

  private static final List<String> OTHERS =
      List.of(
          "amb:amb-time-limit=0.004:amb-num-partitions=4",
          "amb:amb-time-limit=0.004:amb-num-partitions=4:topology=sliced",
          "amb:amb-time-limit=auto:amb-num-partitions=4",
          "k-sync:num-aggregate=2",
          "async",
          "async:gradients-per-update=3",
          "ssp:staleness=1",
          "dcasgd",
          "dcasgd:dcasgd-mode=adaptive",
          "amb-dg:amb-time-limit=0.004:amb-num-partitions=4",
          "amb-dg:amb-time-limit=0.004:amb-num-partitions=4:async-master=time"
              + ":async-master-time-limit=0.01:async-delay-std=0.005",
          "fmb-dg:async-master-batch-min=2",
          "anytime-sgd:amb-time-limit=0.004",
          "async-diloco:local-steps=4",
          "decoupled-diloco:local-steps=4:quorum=2",
          "fedavg:client-fraction=0.5:local-epochs=0.001",
          "fedprox:local-epochs=0.001",
          "fedbuff:buffer-size=2:dispatch=2:local-epochs=0.001",
          "scaffold:client-fraction=0.5:local-epochs=0.001",
          "fedcompass:local-steps-min=2:local-steps-max=4",
          "esync",
          "esync:esync-partitions=4:esync-weighting=steps",
          "coded:coded-stragglers=1",
          "coded:coded-stragglers=2:coded-repetition=fractional",
          "delay-adaptive",
          "ringmaster:delay-threshold=2",
          "ringmaster:delay-threshold=1:outdated=restart:restart-partitions=4",
          "rennala:gradients-per-update=2",
          "rennala:gradients-per-update=2:outdated=restart:restart-partitions=4",
          "malenia",
          "malenia:outdated=restart",
          "ringleader",
          "ia2sgd",
          "rescaled-asgd",
          "amb-graph:amb-time-limit=0.004:amb-num-partitions=4");

  @TempDir Path logs;

  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everySchemeLeavesNoMessageOnTheWire() throws Exception {
    List<String> jobs = new ArrayList<>(DETERMINISTIC);
    jobs.addAll(OTHERS);
    List<String> said = run(jobs);
    assertEquals(jobs.size(), said.size(), said.toString());
    for (int i = 0; i < jobs.size(); i++) {
      if (i < DETERMINISTIC.size()) {
        assertEquals(onVirtualCluster(jobs.get(i)).toString(), said.get(i), jobs.get(i));
      }
      check(said.get(i), jobs.get(i));
    }
    assertEquals(said.get(jobs.indexOf("fmb")), said.get(jobs.indexOf("fmb:topology=sliced")));
  }

  @Test
  void noSchemeIsMissing() {
    Set<String> tested = new HashSet<>();
    DETERMINISTIC.forEach(job -> tested.add(SchemeJob.parse(job).scheme()));
    OTHERS.forEach(job -> tested.add(SchemeJob.parse(job).scheme()));
    assertEquals(new HashSet<>(Schemes.ALL.names()), tested);
  }

  private List<String> run(List<String> jobs) throws Exception {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    LaunchPlan plan =
        LaunchPlan.local(
            RANKS, List.of("-Xmx256m"), SchemeMain.class.getName(), jobs, logs, lines::add);
    RunOutcome outcome = Launcher.run(Plans.within(plan, Duration.ofMinutes(2)));
    assertEquals(0, outcome.exitCode(), outcome.cause() + "\n" + lines);
    return lines;
  }

  /** Every example that workers sent is used or dropped, and those used are in updates. */
  private static void check(String outcome, String job) {
    long used = number(outcome, "used");
    assertEquals(15, number(outcome, "steps"), job);
    assertEquals(number(outcome, "sent"), used + number(outcome, "dropped"), job + outcome);
    assertTrue(used > 0, job + outcome);
    if (!job.startsWith("coded")) {
      assertEquals(used, number(outcome, "updated"), job + outcome);
    } else {
      assertEquals(15L * (RANKS - 1) * SchemeJob.BATCH, number(outcome, "updated"), job);
    }
  }

  private static long number(String outcome, String name) {
    return Long.parseLong(outcome.replaceAll(".*\\b" + name + "=(\\d+).*", "$1"));
  }

  private static SchemeJob.Outcome onVirtualCluster(String job) {
    SchemeJob.Outcome[] outcome = new SchemeJob.Outcome[1];
    new VirtualCluster(RANKS, CostModel.perExample(1e-4))
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == Communicator.MASTER) {
                outcome[0] = SchemeJob.parse(job).master(communicator, clock);
              } else {
                SchemeJob.parse(job).worker(communicator, clock);
              }
            });
    return outcome[0];
  }
}
