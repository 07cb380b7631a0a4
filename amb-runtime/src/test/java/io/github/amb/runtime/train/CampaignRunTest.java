package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.runs.CampaignCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault campaigns on the virtual cluster. */
class CampaignRunTest extends VirtualRuns {
  private static final String RUN =
      "toy fmb rms 16" + SMALL + " --dead-after 2 --last-step 30 --inject ";

  /** Rank 2 dies twice, its replacement too; a fault follows when it has joined again. */
  @Test
  void aCampaignIsCarriedOutAndRecorded() throws IOException {
    Path campaign =
        Files.writeString(
            directory.resolve("campaign.yaml"),
            """
            version: 1
            faults:
              - {kind: kill, id: crash, incident: power, rank: 2, step: 3, every: 15, times: 2}
              - {kind: slow, incident: power, rank: 3, step: 3, steps: 2, factor: 2}
              - {kind: duplicate-message, rank: 1, when: joined 2, step: 2}
            """);
    RunDirectory run = train("run", RUN + campaign + " --respawn 2");
    List<String> found = new ArrayList<>();
    for (String line : Files.readAllLines(run.faults())) {
      JsonNode one = JsonMapper.builder().build().readTree(line);
      found.add(
          "%s %s %s %d"
              .formatted(
                  one.get("id").asText(),
                  one.get("incident").asText(),
                  one.get("kind").asText(),
                  one.get("rank").asInt()));
      assertTrue(one.get("time").asDouble() >= 0, line);
    }
    assertEquals(
        List.of(
            "slow-2#1 power slow 3",
            "crash#1 power kill 2",
            "duplicate-message-3#1  duplicate-message 1",
            "crash#2 power kill 2",
            "duplicate-message-3#2  duplicate-message 1"),
        found);
    assertEquals(
        List.of(List.of(1, 3), List.of(1, 2, 3), List.of(1, 3), List.of(1, 2, 3)),
        membershipRecords(run).stream().map(MembershipRecord::workers).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"corrupt-values:rank=2,step=5,factor=-3", "stale-result:rank=2,step=5"})
  void wrongValuesChangeTheResultUnnoticed(String fault) throws IOException {
    RunDirectory whole = train("whole", RUN + "slow:rank=1,step=1,factor=1");
    RunDirectory wrong = train("wrong", RUN + fault);
    assertEquals(losses(whole).subList(0, 5), losses(wrong).subList(0, 5));
    assertNotEquals(losses(whole).get(5), losses(wrong).get(5));
    assertEquals(List.of(), membershipRecords(wrong));
  }

  /** A checkpoint that was damaged is skipped: the run resumes from the one before. */
  @ParameterizedTest
  @ValueSource(strings = {"missing", "truncated", "spoilt"})
  void aRunResumesFromTheCheckpointBeforeADamagedOne(String damage) throws IOException {
    String command = RUN.replace(" --inject ", " --checkpoint-every 4 --checkpoint-keep 9");
    RunDirectory whole = train("whole", command);
    RunDirectory part =
        train(
            "part", command + " --inject disk-error:step=23;checkpoint-" + damage + ":step=20", 1);
    List<Long> left = new CheckpointDirectory(part.checkpoints(), Origin.ANY).steps();
    assertEquals(!damage.equals("missing"), left.contains(20L), left.toString());
    resume("part", "--log-freq 1");
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
    assertEquals(losses(whole), losses(part));
  }

  /** The state per worker is that of two workers, and the resumed run has three. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "esync sgd",
        "async-diloco sgd --local-steps 2",
        "decoupled-diloco sgd --local-steps 2 --overlap 0",
        "rescaled-asgd sgd"
      })
  void aRunThatHasLostAWorkerResumesWithAll(String scheme) throws IOException {
    String command =
        "toy " + scheme.replaceFirst(" (\\w+)", " $1 16") + SMALL + " --dead-after 0.5";
    train("run", command + " --last-step 12 --inject kill:rank=2,step=2");
    RunDirectory run = resume("run", "--last-step 16");
    assertEquals(16, stepRecords(run).size());
    assertEquals(List.of(1, 2, 3), membershipRecords(run).get(1).workers());
  }

  /**
   * The checkpoint has no states of workers. What the master believes that they have is sent again,
   * and state per worker begins again.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb rms --downlink-codec topk:0.2+min=1 --inject drop-message:rank=2,step=5",
        "async-diloco sgd --local-steps 2 --respawn 1 --inject kill:rank=2,step=5",
        "scaffold sgd --local-epochs 0.003 --inject kill:rank=2,step=5"
      })
  void aRunResumesFromTheCheckpointOfAGenerationThatEnded(String scheme) throws IOException {
    String command =
        "toy " + scheme.replaceFirst(" (\\w+)", " $1 16") + ";disk-full:step=6" + SMALL;
    String more = " --dead-after 0.5 --checkpoint-every 100 --last-step ";
    train("run", command + more + 12, 1);
    train("whole", command.replaceFirst(" --inject [^ ]+", "") + more + 12);
    RunDirectory run = resume("run", "--log-freq 1");
    assertEquals(12, stepRecords(run).size());
    if (scheme.startsWith("fmb")) {
      RunDirectory whole = new RunDirectory(directory.resolve("whole"));
      assertEquals(
          whole.read().ending().parametersSha256(), run.read().ending().parametersSha256());
    }
  }

  /** The limit of a minibatch is over at once for the worker. */
  @Test
  void aClockThatJumpsEndsAMinibatch() throws IOException {
    String command = AMB + " --inject clock-jump:rank=1,step=3,seconds=100";
    RunDirectory run = train("run", command.replace("cedar", "none"));
    List<Long> samples = numSamples(stepRecords(run));
    assertTrue(samples.get(2) < samples.get(1), samples.toString());
    assertEquals(samples.get(1), samples.get(3));
  }

  /** A partition that is shorter than --stall-after costs its time; a longer one, the workers. */
  @Test
  void aPartitionThatLastsRemovesAGroup() throws IOException {
    String command = "toy fmb rms 16" + SMALL + " --last-step 8 --stall-after 10 --inject ";
    String cut = "partition:rank=1+2,step=4,seconds=";
    RunDirectory whole = train("whole", command + cut + 0);
    RunDirectory brief = train("brief", command + cut + 7);
    RunDirectory lasting = train("lasting", command + cut + 10);
    assertEquals(
        whole.read().ending().parametersSha256(), brief.read().ending().parametersSha256());
    double time = stepRecords(whole).get(3).time();
    assertEquals(time + 7, stepRecords(brief).get(3).time(), 1e-6);
    assertEquals(List.of(), membershipRecords(brief));
    List<MembershipRecord> changes = membershipRecords(lasting);
    assertEquals(
        List.of(List.of(3)),
        changes.stream().map(MembershipRecord::workers).toList(),
        "" + changes);
    assertTrue(stepRecords(lasting).get(3).time() >= time + 10);
  }

  /**
   * Each of these faults is named with its rank; an older build named another one for the sixth.
   */
  @Test
  void aScoreCountsTheFaultsThatWereNamed() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("all.yaml"),
            """
            version: 1
            faults:
              - {kind: kill, rank: 2, step: 5}
              - {kind: stall, rank: 3, step: 9}
              - {kind: throw, rank: 4, step: 12}
              - {kind: partition, rank: 8, step: 15, seconds: 100}
              - {kind: corrupt-message, rank: 5, step: 18}
              - {kind: drop-message, rank: 7, step: 21}
              - {kind: duplicate-message, rank: 7, step: 22}
              - {kind: partition, rank: 1, step: 23}
              - {kind: slow, rank: 1, step: 150, factor: 4}
            """);
    RunDirectory run =
        train("run", "toy fmb rms 16" + SMALL + " --workers 8 --last-step 220 --inject " + file);
    assertEquals("7 of 7 faults named with their rank, 0 others", score(run, 0));
    String log = Files.readString(run.masterLog());
    Files.writeString(run.masterLog(), log.replace("were lost: rank 7", "were lost: rank 6"));
    assertEquals("6 of 7 faults named with their rank, 1 others", score(run, 1));
  }

  /** The last line. */
  private static String score(RunDirectory run, int code) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    List<String> line = List.of(run.path().toString(), "--score", "1");
    assertEquals(code, new CampaignCommand().printingTo(out, out).run(line));
    String[] lines = said.toString(StandardCharsets.UTF_8).split("\n");
    return lines[lines.length - 1];
  }
}
