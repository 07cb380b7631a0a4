package io.github.amb.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FaultTest {
  /** What chi-square with 11 degrees of freedom exceeds with a probability of 2e-11. */
  private static final double CHI_SQUARE_11 = 74;

  @Test
  void faultsAreReadAsTheyAreWritten() {
    assertEquals(
        List.of(
            new Fault(Fault.Kind.KILL, 2, 50, 10),
            new Fault(Fault.Kind.SLOW, 1, 3, 2.5),
            new Fault(Fault.Kind.DROP_MESSAGE, 1, 1, 10)),
        parse("kill:rank=2,step=50;slow:step=3,rank=1,factor=2.5;drop-message:rank=1,step=1"));
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
      String text = new Fault(kind, 1, 1, 1).toString().split(":")[0];
      assertTrue(Fault.FORMS.contains(text), text);
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
  void aFullDiskIsTheMasters() {
    assertEquals(
        List.of(
            new Fault(Fault.Kind.DISK_FULL, 0, 5, Double.POSITIVE_INFINITY),
            new Fault(Fault.Kind.DISK_FULL, 0, 7, 3)),
        parse("disk-full:step=5;disk-full:step=7,steps=3"));
  }

  @Test
  void aFaultIsWrittenAsItIsRead() {
    for (String text :
        List.of(
            "kill:rank=2,step=50",
            "slow:rank=1,step=3,factor=2.5",
            "disk-full:step=5",
            "disk-full:step=7,steps=3")) {
      assertEquals(text, parse(text).get(0).toString());
    }
  }

  @Test
  void whatIsWrongIsNamed() {
    assertMessage("unknown fault 'kil'", "kil:rank=1,step=1");
    assertMessage("expected kill:rank=R,step=S with R and S", "kill:rank=1");
    assertMessage("expected kill:rank=R,step=S", "kill:rank=0,step=1");
    assertMessage("expected slow:rank=R,step=S[,factor=F]", "slow:rank=1,step=1,factor=0.5");
    assertMessage("expected kill:rank=R,step=S", "kill:rank=any,step=9-8");
    assertMessage("expected kill:rank=R,step=S", "kill:rank=some,step=9");
    assertMessage("expected disk-full:step=S[,steps=N]", "disk-full:rank=1,step=1");
    assertMessage("expected nan", "nan:rank=1,step=1,more=1");
  }

  @Property(tries = 300)
  void anythingElseIsRejected(@ForAll String text) {
    assertThrows(UsageException.class, () -> parse(text + "#"));
  }

  @Property(tries = 300)
  void whatIsLeftOpenIsDrawnFromTheSeed(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9) int workers,
      @ForAll @IntRange(min = 1, max = 1000) int first,
      @ForAll @IntRange(min = 0, max = 1000) int more) {
    String text = "kill:rank=any,step=%d-%d".formatted(first, first + more);
    Fault fault = Fault.parseAll(text, new Streams(seed), workers).get(0);
    assertEquals(List.of(fault), Fault.parseAll(text, new Streams(seed), workers));
    assertTrue(fault.rank() >= 1 && fault.rank() <= workers, fault.toString());
    assertTrue(fault.step() >= first && fault.step() <= first + more, fault.toString());
  }

  /** 3 ranks, 4 steps: 12 cells, of which each is expected 250 times. */
  @Test
  void everyRankAndStepIsAsLikely() {
    long[] counts = new long[12];
    String many = "kill:rank=any,step=5-8;".repeat(3000);
    for (Fault fault : Fault.parseAll(many, new Streams(1 + Long.getLong("amb.test.seed", 0)), 3)) {
      counts[4 * (fault.rank() - 1) + (int) fault.step() - 5]++;
    }
    double statistic =
        Arrays.stream(counts).mapToDouble(n -> (n - 250.0) * (n - 250.0) / 250).sum();
    assertTrue(statistic < CHI_SQUARE_11, Arrays.toString(counts));
  }

  private static List<Fault> parse(String text) {
    return Fault.parseAll(text, new Streams(1), 3);
  }

  private static void assertMessage(String part, String text) {
    var error = assertThrows(UsageException.class, () -> parse(text));
    assertTrue(error.getMessage().contains(part), error.getMessage());
  }
}
