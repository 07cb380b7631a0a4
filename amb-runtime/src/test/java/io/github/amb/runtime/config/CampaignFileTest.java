package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignFileTest {
  /** What chi-square with 11 degrees of freedom exceeds with a probability of 2e-11. */
  private static final double CHI_SQUARE_11 = 74;

  private static final int WORKERS = 3;

  @TempDir Path directory;

  @Test
  void faultsAreReadAsTheyAreWritten() {
    for (String text :
        List.of(
            "kill:rank=2,step=50",
            "slow:rank=1,step=3,factor=2.5",
            "disk-full:step=5",
            "disk-full:step=7,steps=3",
            "drop-message:rank=1+3,step=1",
            "nan:rank=1,when=joined 2,step=1")) {
      assertEquals(text, parse(text).get(0).toString());
    }
    assertEquals(2, parse("kill:rank=2,step=50;slow:step=3,rank=1,factor=2.5").size());
  }

  @Test
  void oldNamesOfFaultsAreRead() {
    for (String fault : List.of("corrupt", "drop", "duplicate", "late")) {
      assertEquals(
          parse(fault + "-message:rank=2,step=5"), parse(fault + "-frame:rank=2,step=5"), fault);
    }
  }

  @Test
  void everyKindIsInTheHelp() {
    for (Fault.Kind kind : Fault.Kind.values()) {
      assertTrue(Fault.FORMS.contains(kind.toString()), kind.toString());
    }
  }

  @Test
  void numbersOfOtherFormsAreRejected() {
    for (String number : List.of("0x1p1", "2d", "0x2", "\u0662")) {
      assertThrows(UsageException.class, () -> parse("slow:rank=1,step=3,factor=" + number));
      assertThrows(UsageException.class, () -> parse("kill:rank=" + number + ",step=3"));
      assertThrows(UsageException.class, () -> parse("disk-full:step=1,steps=" + number));
    }
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() {
    assertMessage("kind: unknown 'kil'", "kil:rank=1,step=1");
    assertMessage("step: expected S, or A-B", "kill:rank=1");
    assertMessage("rank: expected 1 to 3", "kill:rank=0,step=1");
    assertMessage("rank: expected 1 to 3", "kill:rank=4,step=1");
    assertMessage("rank: expected 1 to 3", "kill:rank=some,step=9");
    assertMessage("factor: expected a number from 1", "slow:rank=1,step=1,factor=0.5");
    assertMessage("step: expected S, or A-B", "kill:rank=any,step=9-8");
    assertMessage("up to --last-step 100, found 101", "kill:rank=1,step=101");
    assertMessage("unknown key 'rank'", "disk-full:rank=1,step=1");
    assertMessage("unknown key 'more'", "nan:rank=1,step=1,more=1");
    assertMessage("rank again", "nan:rank=1,rank=2,step=1");
    assertMessage("when: expected 'joined R'", "nan:rank=1,when=joined 4");
    assertMessage("steps: expected how long", "slow:rank=1,step=1,every=5,times=2");
  }

  @Property(tries = 300)
  void anythingElseIsRejected(@ForAll String text) {
    assertThrows(UsageException.class, () -> parse(text + "#"));
  }

  @Test
  void allProblemsOfAFileComeAtOnceWithTheirLines() throws IOException {
    Path file =
        write(
            """
            version: 2
            faults:
              - kind: kill
                rank: 9
                step: 3
              - kind: drop-messages
                rank: 1
                step: 1
              - {kind: slow, rank: 1, step: 4, factor: fast}
              - kill
            more: 1
            """);
    String[] problems =
        assertThrows(UsageException.class, () -> parse(file.toString())).getMessage().split("\n");
    List<Integer> lines = List.of(1, 11, 4, 6, 9, 10);
    assertEquals(lines.size(), problems.length, String.join("\n", problems));
    for (int i = 0; i < problems.length; i++) {
      assertTrue(problems[i].startsWith(file + " line " + lines.get(i) + ": "), problems[i]);
    }
  }

  /** Any damage of a file is rejected with a place in it, or leaves a campaign. */
  @Property(tries = 500)
  void aDamagedFileIsRejectedOrRead(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(WHOLE);
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, "-:{}[],#\n \t'9a".charAt(random.nextInt(14)));
        default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
      }
    }
    Path file = Files.createTempFile("campaign", ".yaml");
    Files.writeString(file, text);
    try {
      assertFalse(parse(file.toString()).isEmpty());
      // What ranks read in one line is the same campaign.
      assertEquals(parse(file.toString()), parse(CampaignFile.inOneLine(file.toString())));
    } catch (UsageException e) {
      for (String problem : e.getMessage().split("\n")) {
        assertTrue(problem.startsWith(file + " line "), problem);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static final String WHOLE =
      """
      # One switch fails twice.
      version: 1
      seed: 7
      faults:
        - kind: kill
          id: first
          incident: switch
          rank: [1, 2]
          step: 10-90
        - kind: drop-message
          incident: switch
          rank: 3
          step: 10-90
        - kind: nan
          rank: any
          when: joined 2
        - kind: slow
          rank: 1
          step: 5
          every: 20
          times: 3
          steps: 4
          factor: 2.5
        - kind: corrupt-values
          rank: 3
          step: 1-100
          probability: 0.2
          times: 5
      """;

  @Test
  void aFileHasTheSameFaultsAsItsLine() throws IOException {
    Path file = write(WHOLE);
    List<Fault> faults = parse(file.toString());
    assertEquals(faults, parse(CampaignFile.inOneLine(file.toString())));
    assertEquals(5, faults.size());
    assertEquals("first", faults.get(0).id());
    assertEquals(faults.get(0).starts(), faults.get(1).starts(), "one incident");
    assertEquals(new Fault.Event(true, 2), faults.get(2).when());
    assertEquals(List.of(5L, 25L, 45L), faults.get(3).starts());
    assertEquals(5, faults.get(4).starts().size());
  }

  /** The campaign's seed has precedence over the run's. */
  @Test
  void aCampaignWithASeedIsTheSameInEveryRun() throws IOException {
    String file = write(WHOLE).toString();
    assertEquals(
        CampaignFile.faults(file, 1, WORKERS, 0), CampaignFile.faults(file, 2, WORKERS, 0));
  }

  @Property(tries = 300)
  void whatIsLeftOpenIsDrawnFromTheSeed(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9) int workers,
      @ForAll @IntRange(min = 1, max = 1000) int first,
      @ForAll @IntRange(min = 0, max = 1000) int more) {
    String text = "kill:rank=any,step=%d-%d".formatted(first, first + more);
    Fault fault = CampaignFile.faults(text, seed, workers, 0).get(0);
    assertEquals(List.of(fault), CampaignFile.faults(text, seed, workers, 0));
    assertTrue(fault.ranks().first() >= 1 && fault.ranks().first() <= workers, fault.toString());
    long start = fault.starts().get(0);
    assertTrue(start >= first && start <= first + more, fault.toString());
  }

  /** 3 ranks, 4 steps: 12 cells, of which each is expected 250 times. */
  @Test
  void everyRankAndStepIsAsLikely() {
    long[] counts = new long[12];
    String many = "kill:rank=any,step=5-8;".repeat(3000);
    long seed = 1 + Long.getLong("amb.test.seed", 0);
    for (Fault fault : CampaignFile.faults(many, seed, WORKERS, 0)) {
      counts[4 * (fault.ranks().first() - 1) + fault.starts().get(0).intValue() - 5]++;
    }
    double statistic =
        Arrays.stream(counts).mapToDouble(n -> (n - 250.0) * (n - 250.0) / 250).sum();
    assertTrue(statistic < CHI_SQUARE_11, Arrays.toString(counts));
  }

  /** 10,000 steps: the count has a standard deviation of 40; it is within seven. */
  @Test
  void everyStepBeginsAFaultWithItsProbability() {
    String text = "nan:rank=1,step=1-10000,probability=0.2";
    long seed = 1 + Long.getLong("amb.test.seed", 0);
    int found = CampaignFile.faults(text, seed, WORKERS, 0).get(0).starts().size();
    assertTrue(Math.abs(found - 2000) < 280, found + " of 10000");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("campaign.yaml"), text);
  }

  private static List<Fault> parse(String text) {
    return CampaignFile.faults(text, 1, WORKERS, 100);
  }

  private static void assertMessage(String part, String text) {
    var error = assertThrows(UsageException.class, () -> parse(text));
    assertTrue(error.getMessage().contains(part), error.getMessage());
  }
}
