package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.config.SimSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs on the clusters of {@code --cluster}. */
class ClusterRunTest extends VirtualRuns {
  private static final String RUN = "toy fmb rms 16" + SMALL + " --last-step 12";

  private Path cluster(String text) throws IOException {
    return Files.writeString(directory.resolve("cluster.yaml"), "version: 1\n" + text);
  }

  private static List<Double> times(RunDirectory run) throws IOException {
    return stepRecords(run).stream().map(StepRecord::time).toList();
  }

  private static void assertSame(RunDirectory expected, RunDirectory found) throws IOException {
    assertEquals(times(expected), times(found));
    assertEquals(
        expected.read().ending().parametersSha256(), found.read().ending().parametersSha256());
  }

  @Test
  void aFileSaysTheSameAsOptions() throws IOException {
    String options = " --speed 1,.5 --induce cedar --latency .25 --bandwidth 1e5";
    RunDirectory expected = train("options", RUN + options);
    Path file =
        cluster(
            """
            master: {link: {bandwidth: 1e5, latency: .25}}
            nodes:
              - {delays: cedar, link: {bandwidth: 1e5, latency: .25}}
              - {speed: .5, delays: cedar, link: {up: 1e5, down: 1e5, latency: .25}}
            """);
    assertSame(expected, train("file", RUN + " --cluster " + file));
    Path rest = cluster("nodes: [{}, {speed: 0.5}]\n");
    assertSame(expected, train("rest", RUN + options.replace("--speed 1,.5", "--cluster " + rest)));
  }

  static List<String> shipped() {
    return SimSettings.CLUSTERS;
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void aClusterThatShipsRuns(String name) throws IOException {
    RunDirectory run =
        train("run", RUN.replace("--workers 3", "--workers 16") + " --cluster " + name);
    assertEquals(12, stepRecords(run).size());
    assertTrue(Files.readString(run.info()).contains("\"cluster\""));
  }

  /** Episodes are those of the time, wherever a run was resumed, and need no file any more. */
  @Test
  void aResumedRunHasTheSameEpisodes() throws IOException {
    Path file =
        cluster(
            """
            nodes:
              - slow: {factor: 5, length: .5, gap: .5}
                link: {bandwidth: 1e6, slow: {factor: 9, length: 1, gap: 1}}
            """);
    RunDirectory whole = train("whole", RUN + " --cluster " + file);
    train("part", RUN.replace("--last-step 12", "--last-step 5") + " --cluster " + file);
    Files.delete(file);
    assertSame(whole, resume("part", "--last-step 12"));
    assertNotEquals(times(whole), times(train("other", RUN + " --bandwidth 1e6")));
  }

  @Test
  void nodesFailAndAreRepaired() throws IOException {
    Path file = cluster("nodes: [{}, {}, {failures: {length: 5, gap: 4}}]\n");
    String command =
        RUN.replace("--last-step 12", "--last-step 400") + " --dead-after 2 --respawn 100";
    RunDirectory run = train("run", command + " --cluster " + file);
    List<String> faults = Files.readAllLines(run.faults());
    List<MembershipRecord> changes = membershipRecords(run);
    assertTrue(faults.size() > 3, faults.toString());
    for (int i = 0; i < changes.size(); i++) {
      assertEquals(i % 2 == 0 ? List.of(1, 2) : List.of(1, 2, 3), changes.get(i).workers());
    }
    int gone = (int) changes.stream().filter(change -> change.workers().size() == 2).count();
    assertEquals(faults.size(), gone);
    assertEquals(400, stepRecords(run).size());
  }

  /** A failure of a rack takes all its nodes at once. */
  @Test
  void nodesFailTogether() throws IOException {
    Path file = cluster("nodes: [{}, {failures: {length: 9, gap: 4, shared: true}}]\n");
    String command = RUN.replace("--last-step 12", "--last-step 60") + " --dead-after 2";
    RunDirectory run = train("run", command + " --cluster " + file);
    List<MembershipRecord> changes = membershipRecords(run);
    assertEquals(List.of(1), changes.get(changes.size() - 1).workers());
    List<Double> times =
        Files.readAllLines(run.faults()).stream()
            .map(line -> Double.valueOf(line.replaceAll(".*\"time\":([\\d.]+).*", "$1")))
            .toList();
    assertEquals(2, times.size());
    assertEquals(times.get(0), times.get(1));
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() throws IOException {
    Path file =
        cluster(
            """
            colour: red
            master: {failures: {length: 1, gap: 1}}
            nodes:
              - {speed: 0, delays: unheard, workers: 2}
              - {workers: 2, slow: {factor: 0.5, length: 1}, link: {up: -1, rack: [a]}}
            """);
    UsageException e =
        assertThrows(UsageException.class, () -> train("run", RUN + " --cluster " + file));
    List<String> lines = e.getMessage().lines().toList();
    for (String expected :
        List.of(
            "line 2: unknown key 'colour'",
            "line 3: master: unknown key 'failures'",
            "line 5: speed",
            "line 5: delays",
            "line 6: workers")) {
      assertTrue(lines.stream().anyMatch(line -> line.contains(expected)), e.getMessage());
    }
    Path second = cluster("nodes: [{slow: {factor: 0.5, length: 1}, link: {up: -1, rack: [a]}}]\n");
    e = assertThrows(UsageException.class, () -> train("run", RUN + " --cluster " + second));
    assertEquals(4, e.getMessage().lines().count(), e.getMessage());
    for (String wrong : List.of("nodes: 7", "nodes: [3]", "version: 2", "[3]")) {
      Path third = Files.writeString(directory.resolve("third.yaml"), wrong);
      String command = RUN + " --cluster " + third;
      assertThrows(UsageException.class, () -> train("run", command), wrong);
    }
    assertThrows(UsageException.class, () -> train("run", RUN + " --cluster absent.yaml"));
  }
}
