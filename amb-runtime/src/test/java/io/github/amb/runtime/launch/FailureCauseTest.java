package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.launch.RankFailure.Evidence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which rank failure is the cause, in any order of arrival. */
class FailureCauseTest {
  private static final Timeouts TIMEOUTS = Timeouts.chosen();

  private FailureCause inquest;

  @BeforeEach
  void open() {
    inquest = new FailureCause(TIMEOUTS, 0);
  }

  private void add(int rank, int code, Evidence evidence) {
    inquest = inquest.with(new RankFailure(rank, "rank " + rank, code, evidence), null);
  }

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void howAProcessEndedIsBelievedAtOnce() {
    add(2, 137, Evidence.EXIT);
    assertEquals(new RunOutcome(137, "rank 2"), inquest.verdict(0, true, false));
  }

  @Test
  void aConsequenceIsNotTheCauseAtOnce() {
    add(0, 1, Evidence.CONSEQUENCE);
    assertNull(inquest.verdict(seconds(1), true, false));
    add(2, 3, Evidence.EXIT);
    assertEquals(new RunOutcome(3, "rank 2"), inquest.verdict(seconds(1), true, false));
  }

  @Test
  void aBetterCauseIsWaitedForBriefly() {
    add(1, 1, Evidence.CONSEQUENCE);
    assertEquals(new RunOutcome(1, "rank 1"), inquest.verdict(seconds(2), true, false));
  }

  @Test
  void whoSaysToFailOfItsOwnIsWaitedForLonger() {
    add(1, 1, Evidence.CONSEQUENCE);
    assertNull(inquest.verdict(seconds(9), true, true));
    assertEquals(new RunOutcome(1, "rank 1"), inquest.verdict(seconds(10), true, true));
  }

  @Test
  void nobodyIsWaitedForWhenAllHaveEnded() {
    add(1, 1, Evidence.CONSEQUENCE);
    add(0, 1, Evidence.CONSEQUENCE);
    assertEquals(new RunOutcome(1, "rank 1"), inquest.verdict(0, false, false));
    assertEquals(1, inquest.bystanders());
  }

  /** In any order, the failure with the strongest evidence is the cause. */
  @Property
  void theOrderOfArrivalDoesNotMatter(@ForAll @NotEmpty List<Evidence> found, @ForAll long seed) {
    List<RankFailure> losses = new ArrayList<>();
    for (int rank = 0; rank < found.size(); rank++) {
      losses.add(new RankFailure(rank, "rank " + rank, 1, found.get(rank)));
    }
    Collections.shuffle(losses, new Random(seed));
    FailureCause shuffled = new FailureCause(TIMEOUTS, 0);
    for (RankFailure loss : losses) {
      shuffled = shuffled.with(loss, null);
    }
    Evidence strongest = Collections.max(found);
    int cause =
        Integer.parseInt(shuffled.verdict(0, false, false).cause().substring("rank ".length()));
    assertEquals(strongest, found.get(cause));
    int first =
        losses.stream()
            .filter(loss -> loss.evidence() == strongest)
            .map(RankFailure::rank)
            .min(Comparator.comparing(rank -> indexOf(losses, rank)))
            .orElseThrow();
    assertTrue(first == cause, "the first of those with the same evidence");
  }

  private static int indexOf(List<RankFailure> losses, int rank) {
    return losses.stream().map(RankFailure::rank).toList().indexOf(rank);
  }
}
