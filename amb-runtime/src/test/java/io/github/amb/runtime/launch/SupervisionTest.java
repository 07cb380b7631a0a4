package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of replacements, and of ranks that are late or silent. */
class SupervisionTest {
  private static final Timeouts TIMEOUTS = Timeouts.chosen();
  private static final RankId MASTER = new RankId(0, 0);
  private static final RankId LOST = new RankId(2, 0);
  private static final RankId FIRST = new RankId(2, 1);
  private static final RankId SECOND = new RankId(2, 2);
  private static final int START_SECONDS = 60;
  private static final int DEAD_SECONDS = 5;
  private static final int STALL_SECONDS = 30;

  private final LaunchPlan plan =
      LaunchPlan.local(4, List.of(), "Main", List.of(), Path.of("logs"), line -> {})
          .surviving(
              new FailurePolicy(
                  1, Duration.ofSeconds(DEAD_SECONDS), Duration.ofSeconds(STALL_SECONDS), 2));
  private final List<Action> actions = new ArrayList<>();
  private RunState state;
  private long now;

  @BeforeEach
  void begin() {
    state = Supervision.begin(plan, TIMEOUTS, now).state();
  }

  private void decide(Event event) {
    Supervision.Decision decision = Supervision.decide(plan, TIMEOUTS, state, now, event);
    state = decision.state();
    actions.addAll(decision.actions());
  }

  private void say(RankId rank, RankReport report) {
    decide(new Event.Said(rank, report));
  }

  /** Ticks once a second. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += 1_000_000_000;
      decide(new Event.Tick());
    }
  }

  private void end(RankId rank, int code) {
    decide(new Event.Died(rank));
    decide(new Event.Ended(rank, new RankEnd("rank", code, "", "", "", false)));
  }

  private List<RankId> started() {
    return actions.stream()
        .filter(Action.Start.class::isInstance)
        .map(action -> ((Action.Start) action).rank())
        .toList();
  }

  private List<RankId> killed() {
    return actions.stream()
        .filter(Action.Kill.class::isInstance)
        .map(action -> ((Action.Kill) action).rank())
        .toList();
  }

  private void loseOne() {
    say(MASTER, new RankReport.Training());
    end(LOST, 137);
    assertEquals(List.of(FIRST), started());
  }

  @Test
  void aReplacementThatEndsIsReplacedAfterAPause() {
    loseOne();
    end(FIRST, 7);
    assertEquals(List.of(FIRST), started());
    pass(1);
    assertEquals(List.of(FIRST, SECOND), started());
    end(SECOND, 7);
    pass(START_SECONDS);
    assertEquals(List.of(FIRST, SECOND), started(), "as many as allowed");
    assertEquals(List.of(), killed());
  }

  @Test
  void aReplacementThatCannotStartIsReplaced() {
    loseOne();
    decide(new Event.Unstartable(FIRST, "no room"));
    pass(1);
    assertEquals(List.of(FIRST, SECOND), started());
  }

  @Test
  void aReplacementThatIsNotReadyIsKilledAndReplaced() {
    loseOne();
    pass(START_SECONDS);
    assertEquals(List.of(), killed());
    pass(2);
    assertEquals(List.of(FIRST), killed());
    end(FIRST, 137);
    pass(1);
    assertEquals(List.of(FIRST, SECOND), started());
  }

  @Test
  void aReplacementThatFallsSilentIsKilled() {
    loseOne();
    decide(new Event.Beat(FIRST, null));
    pass(STALL_SECONDS + 1);
    assertEquals(List.of(FIRST), killed());
  }

  @Test
  void aReplacementThatIsReadyJoins() {
    loseOne();
    actions.clear();
    say(FIRST, new RankReport.Ready());
    List<Action> orders = actions.stream().filter(Action.Tell.class::isInstance).toList();
    assertEquals(4, orders.size());
    assertEquals(
        new Action.Tell(FIRST, new Order.Form(3, 2, List.of(0, 1, 2, 3), "rank; rank 2 joins")),
        withCause(orders.get(2)));
    pass(START_SECONDS);
    assertEquals(List.of(), killed());
  }

  /** The cause of the loss is in the order, too. */
  private static Action withCause(Action action) {
    Action.Tell tell = (Action.Tell) action;
    Order.Form form = (Order.Form) tell.order();
    String reason = form.reason().replaceFirst(" was killed by signal 9", "");
    return new Action.Tell(
        tell.rank(), new Order.Form(form.generation(), form.rank(), form.members(), reason));
  }

  @Test
  void noReplacementStartsWhenNoStepFollows() {
    loseOne();
    end(FIRST, 7);
    say(MASTER, new RankReport.Over());
    pass(2);
    assertEquals(List.of(FIRST), started());
  }

  @Test
  void silenceIsShownAndThenEnded() {
    RankId rank = new RankId(1, 0);
    decide(new Event.Beat(rank, null));
    pass(DEAD_SECONDS + 1);
    assertEquals(1, warnings("rank 1 sent no heartbeat for "));
    decide(new Event.Beat(rank, null));
    pass(1);
    assertEquals(1, warnings("rank 1 is back"));
    pass(STALL_SECONDS - 2);
    assertEquals(List.of(), killed());
    pass(2);
    assertEquals(List.of(rank), killed());
  }

  private long warnings(String start) {
    return actions.stream()
        .filter(action -> action instanceof Action.Warn warn && warn.line().startsWith(start))
        .count();
  }

  /** The launcher was stopped, and its ranks with it. */
  @Test
  void theLaunchersOwnPauseIsNotTheirSilence() {
    decide(new Event.Beat(LOST, null));
    now += Duration.ofSeconds(STALL_SECONDS + 1).toNanos();
    decide(new Event.Tick());
    assertEquals(List.of(), killed());
  }

  @Test
  void ranksThatDoNotListenEndTheStart() {
    for (int rank = 0; rank < 3; rank++) {
      say(new RankId(rank, 0), new RankReport.Listening(1, 1, 2));
    }
    pass(START_SECONDS);
    assertEquals(0, actions.stream().filter(Action.FinishLate.class::isInstance).count());
    pass(1);
    Action last = actions.get(actions.size() - 1);
    assertTrue(last instanceof Action.FinishLate late && late.missing().get(0).rank() == 3);
  }
}
