package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A master and three workers on four hosts with links of their own: network namespaces on this
 * machine. With {@code AMB_DATA_DIR} they train MNIST, else digits like it.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(500)
class ClusterTest {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int WORKERS = 3;

  @TempDir Path directory;

  private NetworkHosts hosts;

  @BeforeEach
  void up() throws Exception {
    hosts = NetworkHosts.up(directory, WORKERS + 1);
  }

  @AfterEach
  void down() throws Exception {
    if (hosts != null) {
      hosts.close();
    }
  }

  private static String train() {
    String real = System.getProperty("AMB_DATA_DIR", System.getenv("AMB_DATA_DIR"));
    return "train %s fmb rms 64 --network sigmoid-mlp --learning-rate 0.01 --evaluate last --test-size 500 --start-limit 200 "
        .formatted(real == null ? "digits" : "mnist --data-dir " + real);
  }

  @Test
  void fourHostsTrainOverTheirLinks() throws Exception {
    int steps = 40;
    try (AmbProcess amb = hosts.start(train() + "--last-step " + steps)) {
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      List<StepRecord> records = records(amb.run(), StepRecord.class);
      assertEquals(steps, records.size());
      records.forEach(step -> assertEquals(WORKERS * 64, step.numSamples()));
      double loss = records.get(steps - 1).loss();
      assertTrue(loss < records.get(0).loss() - 0.2, "loss " + loss);
      long sent = records.get(steps - 1).bytesSent();
      // What the master counts as sent went over the links, not through memory that all share.
      long carried = hosts.received(2) + hosts.received(3) + hosts.received(4);
      assertTrue(carried >= sent, carried + " bytes over the links, " + sent + " sent");
      assertNothingLeft(amb);
    }
  }

  /** The program there was killed. The run's directory is on a file system of all hosts. */
  @Test
  void aStandbyOnAnotherHostContinues() throws Exception {
    Path first = directory.resolve("first");
    String command =
        train() + "--last-step 40 --checkpoint-every 2 --run-directory " + first + "/runs/one";
    try (AmbProcess amb = hosts.start(first, command, 1, 3);
        AmbProcess standby =
            hosts.startElsewhere(directory.resolve("next"), command + " --resume standby", 2, 4)) {
      amb.awaitSteps(5);
      standby.awaitWhileRunning(
          () -> standby.everythingSaid().contains("amb: connected to its launcher"),
          "a connection");
      amb.handle().destroyForcibly();
      assertEquals(0, standby.awaitEnd(AmbProcess.LIMIT), standby.everythingSaid());
      String ended = "amb: process %d of host ".formatted(amb.pid());
      assertTrue(standby.everythingSaid().contains(ended), standby.everythingSaid());
      long[] steps =
          records(amb.run(), StepRecord.class).stream().mapToLong(StepRecord::step).toArray();
      assertArrayEquals(LongStream.rangeClosed(1, 40).toArray(), steps);
    }
  }

  @Test
  void aSlowLinkRemovesNoWorker() throws Exception {
    hosts.shape(3, "20mbit");
    try (AmbProcess amb = hosts.start(train() + "--workers 2 --last-step 8")) {
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      List<StepRecord> records = records(amb.run(), StepRecord.class);
      records.forEach(step -> assertEquals(2 * 64, step.numSamples()));
      StepRecord first = records.get(0);
      StepRecord last = records.get(7);
      double megabits = (last.bytesSent() - first.bytesSent()) / 2.0 * 8 / 1e6;
      // To one worker and back over one link, less what the shaper lets pass in a burst.
      double least = (megabits - 2) / 20;
      assertTrue(last.time() - first.time() > least, last.time() + " s, at least " + least);
      assertEquals(List.of(), memberships(amb.run()));
    }
  }

  @Test
  void unreachableHostsAreRemoved() throws Exception {
    String command =
        train() + "--max-time 300 --dead-after 3 --stall-after 8 --checkpoint-every last";
    try (AmbProcess amb = hosts.start(command)) {
      amb.awaitSteps(3);
      hosts.cut(3);
      awaitMembership(amb, 1);
      hosts.powerOff(4);
      awaitMembership(amb, 2);
      assertEquals(List.of(), hosts.processes(3));
      amb.terminate();
      assertEquals(130, amb.awaitEnd(SOON), amb.everythingSaid());
      assertEquals(List.of(List.of(1, 3), List.of(1)), memberships(amb.run()));
      String said = String.join("\n", amb.stderr());
      // Both sides of the cut wait for as long, and either may be first.
      String lost = "was killed: no heartbeat|exited with code 1: no record from the launcher";
      assertTrue(
          said.matches("(?s).*rank 2 \\(pid \\d+ on 10\\.77\\.0\\.3\\) (" + lost + ").*"), said);
      assertTrue(said.matches("(?s).*rank 3 \\(pid \\d+ on 10\\.77\\.0\\.4\\) was killed.*"), said);
      assertNothingLeft(amb);
    }
  }

  @Test
  void anAsynchronousRunSurvivesACutLink() throws Exception {
    // Workers compute for half a second, so that the cut is not within a message. The master would
    // wait for the rest of it.
    String command =
        train().replace(" fmb ", " async ")
            + "--workers 2 --induce 0.5,0,1 --max-time 300 --checkpoint-every last";
    try (AmbProcess amb = hosts.start(command + " --dead-after 1 --stall-after 200")) {
      amb.awaitWhileRunning(() -> !amb.run().workerRecords(2).isEmpty(), "a result of worker 2");
      hosts.cut(3);
      amb.awaitWhileRunning(() -> said(amb).contains("rank 2 sent no heartbeat"), "silence");
      int before = amb.run().workerRecords(2).size();
      amb.awaitSteps((int) amb.steps() + 12); // More than the log holds back.
      hosts.mend(3);
      amb.awaitWhileRunning(
          () -> amb.run().workerRecords(2).size() > before + 2, "results of worker 2");
      amb.awaitWhileRunning(() -> said(amb).contains("rank 2 is back"), "a line");
      amb.terminate();
      assertEquals(130, amb.awaitEnd(SOON), amb.everythingSaid());
      assertEquals(List.of(), memberships(amb.run()));
      assertNothingLeft(amb);
    }
  }

  private static String said(AmbProcess amb) throws IOException {
    return String.join("\n", amb.stderr());
  }

  @Test
  void anUnreachableMasterEndsTheRunEverywhere() throws Exception {
    String command = train() + "--workers 1 --max-time 300 --dead-after 3 --stall-after 8";
    try (AmbProcess amb = hosts.start(command)) {
      amb.awaitSteps(3);
      hosts.cut(1);
      assertEquals(20, amb.awaitEnd(SOON), amb.everythingSaid());
      assertNothingLeft(amb);
    }
  }

  private void assertNothingLeft(AmbProcess amb) throws Exception {
    amb.awaitNoDescendants(SOON);
    for (int host = 1; host <= WORKERS + 1; host++) {
      assertEquals(List.of(), hosts.processes(host), "host " + host);
    }
  }

  private static void awaitMembership(AmbProcess amb, int count) throws Exception {
    long end = System.nanoTime() + SOON.toNanos();
    while (memberships(amb.run()).size() < count) {
      assertTrue(System.nanoTime() < end, amb.everythingSaid());
      Thread.sleep(50);
    }
    amb.awaitSteps((int) amb.steps() + 2);
  }

  private static List<List<Integer>> memberships(RunDirectory run) throws IOException {
    return records(run, MembershipRecord.class).stream().map(MembershipRecord::workers).toList();
  }

  private static <T extends LogRecord> List<T> records(RunDirectory run, Class<T> type)
      throws IOException {
    return run.masterRecords().stream()
        .map(record -> type.isInstance(record) ? type.cast(record) : null)
        .filter(Objects::nonNull)
        .toList();
  }
}
