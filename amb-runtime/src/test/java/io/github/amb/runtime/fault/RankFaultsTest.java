package io.github.amb.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.config.CampaignFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RankFaultsTest {
  private final List<String> journal = new ArrayList<>();

  @Test
  void aStepWithAResultIsThatResults() {
    assertEquals(List.of(2L), hit(2, 1, 2, 3));
    assertEquals(List.of(1L), hit(1, 1, 2));
  }

  @Test
  void aStepWithoutAResultIsTheNextResults() {
    assertEquals(List.of(7L), hit(5, 1, 4, 7, 7, 9));
  }

  @Test
  void aRepeatedStepIsHitOnce() {
    assertEquals(List.of(4L), hit(4, 1, 4, 4, 5, 4));
  }

  @Test
  void stepsBeforeTheFirstAreOver() {
    assertEquals(List.of(), hit(5, 6, 7));
  }

  /** The journal must not say that a message had what it had not. */
  @Test
  void aMessageHasOneFaultOfTheLink() {
    RankFaults faults =
        faults("duplicate-message:rank=1,step=2,id=d;corrupt-message:rank=1,step=2,id=c");
    faults.reached(2);
    for (long step = 2; step < 5; step++) {
      faults.due(Fault.Place.LINK, step, 0);
    }
    assertEquals(List.of("c#1  2", "d#1  3"), journal);
  }

  private List<Long> hit(long wanted, long... results) {
    RankFaults faults = faults("nan:rank=1,step=" + wanted);
    List<Long> hit = new ArrayList<>();
    for (long result : results) {
      faults.reached(result);
      faults.due(Fault.Place.RESULT, result, 0).forEach(fault -> hit.add(result));
    }
    return hit;
  }

  @Test
  void eachOccurrenceHasItsNumber() {
    RankFaults faults = faults("nan:rank=1,step=2,every=3,times=3,id=n,incident=i");
    for (long step = 1; step < 20; step++) {
      faults.reached(step);
      faults.due(Fault.Place.RESULT, step, step);
    }
    assertEquals(List.of("n#1 i 2", "n#2 i 5", "n#3 i 8"), journal);
  }

  @Test
  void aFaultLastsForItsSteps() {
    RankFaults faults = faults("slow:rank=1,step=2,every=5,times=2,steps=2");
    List<Long> slow = new ArrayList<>();
    for (long step = 1; step < 20; step++) {
      faults.reached(step);
      if (!faults.lasting(Fault.Place.CLOCK, step, 0).isEmpty()) {
        slow.add(step);
      }
    }
    assertEquals(List.of(2L, 3L, 7L, 8L), slow);
    assertEquals(List.of("slow-1#1  2", "slow-1#2  7"), journal);
  }

  /** It counts from the first step of the generation, and again after each event. */
  @Test
  void aFaultFollowsEachEvent() {
    RankFaults faults = faults("nan:rank=1,when=joined 2,step=3");
    List<Set<Integer>> generations =
        List.of(Set.of(0, 1, 2), Set.of(0, 1), Set.of(0, 1, 2), Set.of(0, 1), Set.of(0, 1, 2));
    for (int i = 0; i < generations.size(); i++) {
      faults.entered(generations.get(i));
      for (long step = 1 + 5L * i; step <= 5 + 5L * i; step++) {
        faults.reached(step);
        faults.due(Fault.Place.RESULT, step, 0);
      }
    }
    assertEquals(List.of("nan-1#1  13", "nan-1#2  23"), journal);
  }

  private RankFaults faults(String campaign) {
    return new RankFaults(
        CampaignFile.faults(campaign, 1, 3, 0),
        1,
        one -> journal.add(one.id() + " " + one.incident() + " " + one.step()));
  }
}
