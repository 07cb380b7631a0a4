package io.github.amb.runtime.train.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.train.TrainCommand;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.part.Calibration;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first generation of a run ends before a step is complete, as an unauthenticated peer may
 * cause.
 */
class SpoiledWorldTest {
  private static final String RUN =
      "toy fmb adm 16 --engine sim --workers 3 --cost-per-example 0.02 --evaluate last"
          + " --codec topk:0.1+ef+min=1 --last-step ";

  @TempDir Path directory;

  /** The master's parts have not been made then, and must restore the resumed state later. */
  @Test
  void aRunResumesAfterAFailedFirstGeneration() throws IOException {
    RunDirectory whole = train("whole", RUN + 9);
    RunDirectory part = train("part", RUN + 4);
    train(resumed(part, "--last-step 9"), part, UnaryOperator.identity(), this::rejectingFirst);
    assertEquals(sha256(whole), sha256(part));
    MembershipRecord again = memberships(part).get(0);
    assertEquals(4, again.step());
    assertEquals(4 * 0.32, again.time(), 1e-6);
  }

  @Test
  void aResumedRunMayStartInALaterGeneration() throws IOException {
    RunDirectory whole = train("whole", RUN + 9);
    RunDirectory part = train("part", RUN + 4);
    train(resumed(part, "--last-step 9"), part, LateMembership::new, UnaryOperator.identity());
    assertEquals(sha256(whole), sha256(part));
  }

  @Test
  void faultsHappenOnceToEachWorker() throws IOException {
    RunParts parts =
        parts(RUN + 6 + " --inject kill:rank=2,step=3 --run-directory " + directory.resolve("run"));
    RunDirectory run = RunWriter.create(null, parts.settings(), List.of(), RunOwner.PROCESS).run();
    train(parts, run, LateMembership::new, UnaryOperator.identity());
    assertEquals(
        List.of(List.of(1, 3)), memberships(run).stream().map(MembershipRecord::workers).toList());
  }

  private RunDirectory train(String name, String command) throws IOException {
    Path path = directory.resolve(name);
    List<String> words = Arrays.asList((command + " --run-directory " + path).split(" "));
    assertEquals(0, new TrainCommand().run(words));
    return new RunDirectory(path);
  }

  private static RunParts resumed(RunDirectory part, String more) throws IOException {
    RunParts parts = parts("--resume " + part.path() + " " + more);
    ResumeOptions.prepare(parts, RunOwner.PROCESS);
    return parts;
  }

  private static RunParts parts(String command) throws IOException {
    Settings typed = CommandLine.parse(Arrays.asList(command.split(" "))).settings();
    return Calibration.price(RunParts.of(ResumeOptions.complete(typed)));
  }

  /** Trains on the virtual cluster. */
  private static void train(
      RunParts parts,
      RunDirectory run,
      UnaryOperator<Membership> memberships,
      UnaryOperator<RankEnvironment> hosts)
      throws IOException {
    PrintStream console = new PrintStream(OutputStream.nullOutputStream());
    try (VirtualEnvironment host = new VirtualEnvironment(parts, RunOutput.in(run).faults())) {
      VirtualCluster cluster = host.cluster;
      RankEnvironment spoiled = hosts.apply(host);
      cluster.run(
          (link, clock) -> {
            TrainRank rank =
                new TrainRank(parts, link.rank(), clock, console, spoiled, RunOwner.PROCESS);
            Membership membership = memberships.apply(cluster.membership(link.rank()));
            try {
              if (link.rank() == 0) {
                rank.master(RunOutput.in(run), membership, now -> {});
              } else {
                rank.worker(membership);
              }
            } catch (VirtualTraining.Killed e) {
              cluster.die(link.rank(), e.detection);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    assertEquals(0, RunWriter.end(run, new RunOutcome(0, "")).exitCode());
  }

  /** The connection to a rank breaks while the master sends the first generation's states. */
  private RankEnvironment rejectingFirst(RankEnvironment host) {
    AtomicInteger admissions = new AtomicInteger();
    return (RankEnvironment)
        Proxy.newProxyInstance(
            RankEnvironment.class.getClassLoader(),
            new Class<?>[] {RankEnvironment.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("admit") && admissions.incrementAndGet() == 1) {
                throw new LostException("lost rank 1");
              }
              try {
                return method.invoke(host, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Ranks that miss the first generation start in the second one. */
  private static final class LateMembership extends ForwardingMembership {
    LateMembership(Membership membership) {
      super(membership);
    }

    @Override
    public Generation first() {
      super.first();
      return next(new LostException("the first world does not come about"));
    }

    @Override
    protected Generation joined(Generation generation, EngineException before) {
      return generation;
    }
  }

  private static String sha256(RunDirectory run) throws IOException {
    String sha256 = run.read().ending().parametersSha256();
    assertNotNull(sha256);
    return sha256;
  }

  private static List<MembershipRecord> memberships(RunDirectory run) throws IOException {
    return LogRecord.of(MembershipRecord.class, run.masterRecords());
  }
}
