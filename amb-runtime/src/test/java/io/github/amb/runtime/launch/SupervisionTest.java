package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the launcher decides: each event of ranks and each limit, at the limit and before it. */
class SupervisionTest {
  private static final Timeouts TIMEOUTS = Timeouts.chosen();
  private static final RankId MASTER = new RankId(0, 0);
  private static final RankId LOST = new RankId(2, 0);
  private static final RankId FIRST = new RankId(2, 1);
  private static final RankId SECOND = new RankId(2, 2);
  private static final int START_SECONDS = 60;
  private static final int DEAD_SECONDS = 5;
  private static final int STALL_SECONDS = 30;

  private LaunchPlan plan =
      LaunchPlan.local(4, List.of(), "Main", List.of(), Path.of("logs"), line -> {});
  private final List<Action> actions = new ArrayList<>();
  private RunState state;
  private long now;

  @BeforeEach
  void begin() {
    begin(1, 2);
  }

  private void begin(int minWorkers, int respawns) {
    plan =
        Plans.surviving(
            plan,
            new FailurePolicy(
                minWorkers,
                Duration.ofSeconds(DEAD_SECONDS),
                Duration.ofSeconds(STALL_SECONDS),
                respawns));
    actions.clear();
    Supervision.Decision first = Supervision.begin(plan, TIMEOUTS, now);
    state = first.state();
    actions.addAll(first.actions());
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

  /** A loss ends the run, unless a rank without replacements may go. */
  private void beginWithoutReplacements() {
    begin(1, 0);
    assertDid("met 0 of 4");
  }

  private static RankId rank(int rank) {
    return new RankId(rank, 0);
  }

  /** Asserts what was decided since the last call; an order to several ranks in a row is one. */
  private void assertDid(String... expected) {
    List<String> did = new ArrayList<>();
    for (Action action : actions) {
      String text = text(action);
      if (did.isEmpty()
          || !did.get(did.size() - 1).equals(text)
          || !(action instanceof Action.Tell)) {
        did.add(text);
      }
    }
    actions.clear();
    assertEquals(List.of(expected), did);
  }

  private static String text(Action action) {
    if (action instanceof Action.Tell tell) {
      Order order = tell.order();
      if (order instanceof Order.Release release) {
        return "release %d %d".formatted(release.rank(), release.results());
      }
      if (order instanceof Order.Leave) {
        return "leave " + tell.rank().rank();
      }
      if (order instanceof Order.Exit) {
        return "exit " + tell.rank().rank();
      }
      return order instanceof Order.Form form
          ? "form " + form.generation() + " " + form.members()
          : order instanceof Order.Table table
              ? "table " + table.generation() + " of " + table.places().size()
              : "end " + ((Order.End) order).generation();
    }
    if (action instanceof Action.Kill kill) {
      return "kill " + kill.rank().rank() + "/" + kill.rank().number();
    }
    if (action instanceof Action.Start start) {
      RankPlacement where = start.placement();
      String host = where.places().isEmpty() ? "" : " on " + where.host(start.rank().rank());
      return "start " + start.rank().rank() + "/" + start.rank().number() + host;
    }
    if (action instanceof Action.ShowStart show) {
      return "met " + show.met() + " of " + show.all();
    }
    if (action instanceof Action.Finish finish) {
      return "finish " + finish.outcome().exitCode();
    }
    if (action instanceof Action.FinishLate late) {
      List<Integer> missing = late.missing().stream().map(KnownRank::rank).toList();
      return "late " + missing + " after " + late.seconds();
    }
    return action instanceof Action.FinishFaulty faulty
        ? "faulty " + faulty.rank().rank()
        : action instanceof Action.Warn
            ? "warn"
            : action instanceof Action.ReadHosts ? "read hosts" : "show";
  }

  private String lastWarning() {
    return actions.stream()
        .filter(Action.Warn.class::isInstance)
        .map(action -> ((Action.Warn) action).line())
        .reduce("", (first, second) -> second);
  }

  private Order.Form lastForm() {
    return actions.stream()
        .filter(action -> action instanceof Action.Tell tell && tell.order() instanceof Order.Form)
        .map(action -> (Order.Form) ((Action.Tell) action).order())
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** The master trains, and all ranks listen and are connected in generation 1. */
  private void train() {
    allListen(1, 0, 1, 2, 3);
    say(MASTER, new RankReport.Training());
    actions.clear();
  }

  private void allListen(int generation, int... ranks) {
    for (int rank : ranks) {
      say(rank(rank), new RankReport.Listening(generation, 10 + rank, 20 + rank));
    }
  }

  @Test
  void whenAllRanksListenEachReceivesTheTable() {
    beginWithoutReplacements();
    allListen(1, 0, 1, 2);
    assertDid("met 1 of 4", "met 2 of 4", "met 3 of 4");
    allListen(1, 2);
    allListen(2, 3);
    assertDid();
    say(rank(3), new RankReport.Listening(1, 13, 23));
    Action.Tell last = (Action.Tell) actions.get(actions.size() - 1);
    assertEquals(rank(3), last.rank());
    Order.Place place = ((Order.Table) last.order()).places().get(2);
    assertEquals(12, place.readPort());
    assertEquals(22, place.writePort());
    assertDid("met 4 of 4", "table 1 of 4");
  }

  @Test
  void aLossIsAnsweredByANewGenerationAndAReplacement() {
    train();
    end(rank(1), 137);
    assertTrue(lastWarning().contains("(1 of 2, --respawn)"), lastWarning());
    assertDid("warn", "form 2 [0, 2, 3]", "warn", "start 1/1");
    say(new RankId(1, 1), new RankReport.Ready());
    assertTrue(lastWarning().endsWith("continuing with 3 workers"), lastWarning());
    assertDid("warn", "form 3 [0, 1, 2, 3]");
    say(new RankId(1, 1), new RankReport.Ready());
    assertDid();
  }

  @Test
  void aWorkerThatIsAskedToEndLeavesWhenTheMasterHasDoneTheStep() {
    train();
    say(rank(2), new RankReport.Leaving(1, 7));
    say(rank(2), new RankReport.Leaving(1, 7));
    assertDid("warn", "release 2 7");
    say(MASTER, new RankReport.Lost(1));
    assertTrue(lastWarning().endsWith("continuing with 2 workers"), lastWarning());
    assertDid("warn", "exit 2", "form 2 [0, 1, 3]");
    say(rank(2), new RankReport.Lost(1));
    end(rank(2), 143);
    say(rank(1), new RankReport.Lost(1));
    pass(DEAD_SECONDS + 1);
    assertDid("end 1");
  }

  @Test
  void aWorkerThatIsKilledBeforeItHasLeftIsLost() {
    train();
    say(rank(2), new RankReport.Leaving(1, 7));
    assertDid("warn", "release 2 7");
    end(rank(2), 137);
    assertDid("warn", "form 2 [0, 1, 3]", "warn", "start 2/1");
  }

  /** The step is done again in any case. */
  @Test
  void aWorkerLeavesWhenAnotherOneIsLost() {
    beginWithoutReplacements();
    train();
    say(rank(2), new RankReport.Leaving(1, 7));
    end(rank(1), 137);
    assertDid("warn", "release 2 7", "warn", "warn", "exit 2", "form 2 [0, 3]");
  }

  /** A silent one is killed, and not missed. */
  @Test
  void aWorkerThatHasLeftIsStillWatched() {
    train();
    decide(new Event.Beat(rank(2), null));
    say(rank(2), new RankReport.Leaving(1, 7));
    say(MASTER, new RankReport.Lost(1));
    allListen(2, 0, 1, 3);
    pass(STALL_SECONDS + 1);
    assertEquals(List.of(rank(2)), killed());
    actions.clear();
    end(rank(2), 137);
    assertDid();
  }

  /** Before the first step, in another generation, as the last one, or as one too many. */
  @Test
  void aWorkerThatMayNotLeaveEndsAtOnce() {
    beginWithoutReplacements();
    allListen(1, 0, 1, 2, 3);
    actions.clear();
    say(rank(1), new RankReport.Leaving(1, 7));
    say(MASTER, new RankReport.Training());
    say(rank(1), new RankReport.Leaving(2, 7));
    assertDid("exit 1");
    say(rank(1), new RankReport.Leaving(1, 7));
    say(rank(2), new RankReport.Leaving(1, 7));
    say(rank(3), new RankReport.Leaving(1, 7));
    assertDid("warn", "release 1 7", "warn", "release 2 7", "exit 3");
    end(rank(3), 143);
    assertDid("finish " + ExitCode.ALL_WORKERS_LOST);
  }

  private void trainOnHosts(int respawns) {
    plan = Plans.placed(plan, List.of("m", "a", "b", "b"));
    begin(1, respawns);
    train();
  }

  private void read(boolean asked, String... hosts) {
    decide(new Event.Hosts(Plans.places(List.of(hosts)), asked));
  }

  /** Rank 2 leaves, as one place on b is gone; c is for it as soon as it has ended. */
  @Test
  void aWorkerLeavesAPlaceThatIsNotListedAndAnotherOneStarts() {
    trainOnHosts(0);
    read(true, "c", "b", "a");
    assertDid("leave 3");
    say(rank(3), new RankReport.Leaving(1, 7));
    say(MASTER, new RankReport.Lost(1));
    assertDid("warn", "release 3 7", "warn", "exit 3", "form 2 [0, 1, 2]");
    read(true, "a", "b", "c");
    assertDid();
    end(rank(3), 0);
    read(false, "a", "b", "c");
    assertDid("read hosts", "warn", "start 3/1 on c");
    say(new RankId(3, 1), new RankReport.Ready());
    assertDid("warn", "form 3 [0, 1, 2, 3]");
  }

  /** Before a replacement on the same host, and beyond what --respawn allows. */
  @Test
  void aLostWorkerIsReplacedOnASpareHost() {
    trainOnHosts(1);
    end(rank(1), 137);
    pass(2);
    assertDid("warn", "form 2 [0, 2, 3]", "read hosts");
    read(false, "a", "b", "b", "d");
    assertDid("warn", "start 1/1 on d");
    end(rank(2), 137);
    read(false, "a", "b", "b", "d");
    assertDid("warn", "form 3 [0, 3]", "read hosts", "warn", "start 2/2 on b");
    end(new RankId(1, 1), 137);
    read(false, "a", "b", "b");
    pass(2);
    assertDid("warn", "read hosts");
    read(false, "b", "b");
    read(false, "a", "b", "b");
    assertDid("warn", "start 1/3 on a");
  }

  @Test
  void onlyAPersonFillsThePlaceOfOneThatIsLost() {
    trainOnHosts(0);
    end(rank(1), 137);
    read(false, "a", "b", "b");
    assertDid("warn", "form 2 [0, 2, 3]", "read hosts");
    read(true, "a", "b", "b");
    assertDid("warn", "start 1/1 on a");
    read(true, "b", "b");
    assertDid("kill 1/1");
  }

  /** Not before the first step, and not if nothing was read. */
  @Test
  void theLastWorkersStay() {
    plan = Plans.placed(plan, List.of("m", "a", "b", "c"));
    begin(2, 0);
    actions.clear();
    read(true, "a");
    assertDid();
    train();
    read(true);
    assertDid();
    read(true, "d");
    assertDid("leave 1");
  }

  @Test
  void fewerWorkersThanAllowedEndTheRun() {
    begin(2, 0);
    train();
    end(rank(1), 137);
    assertDid("warn", "form 2 [0, 2, 3]");
    end(rank(2), 137);
    assertDid("finish " + ExitCode.TOO_FEW_WORKERS);
    end(rank(3), 137);
    assertDid();
  }

  @Test
  void connectionsThatBreakWithoutALossAreMadeAnew() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Lost(1));
    pass(DEAD_SECONDS);
    assertDid();
    say(rank(2), new RankReport.Lost(1));
    pass(1);
    assertDid("warn", "end 1", "form 2 [0, 1, 2, 3]");
    say(rank(3), new RankReport.Lost(1));
    pass(DEAD_SECONDS + 1);
    assertDid();
  }

  @Test
  void connectionsAreNotMadeAnewWithoutAMaster() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Lost(1));
    decide(new Event.Died(MASTER));
    pass(DEAD_SECONDS + 1);
    assertDid();
  }

  @Test
  void aLossThatARankLeavesForExplainsItself() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Lost(1));
    end(rank(2), 137);
    assertDid("warn", "form 2 [0, 1, 3]");
    say(rank(3), new RankReport.Lost(1));
    assertDid("end 1");
    say(MASTER, new RankReport.Lost(1));
    assertDid();
    pass(DEAD_SECONDS + 1);
    assertDid();
  }

  private void beat(Function<Integer, Heartbeat.Wait> waiting, int seconds) {
    for (int second = 0; second < seconds; second++) {
      for (int rank = 0; rank < 4; rank++) {
        decide(new Event.Beat(rank(rank), waiting.apply(second)));
      }
      pass(1);
    }
  }

  @Test
  void ranksThatAllWaitForEachOtherConnectAgain() {
    beginWithoutReplacements();
    train();
    beat(second -> new Heartbeat.Wait(1, 7, second), STALL_SECONDS + 2);
    beat(second -> second == 5 ? null : new Heartbeat.Wait(1, 8, 0), STALL_SECONDS + 2);
    assertDid();
    beat(second -> new Heartbeat.Wait(1, 9, 0), STALL_SECONDS);
    assertDid();
    beat(second -> new Heartbeat.Wait(1, 9, 0), 1);
    assertTrue(lastWarning().startsWith("no progress for 30.0 s"), lastWarning());
    assertDid("warn", "end 1");
    beat(second -> new Heartbeat.Wait(1, 9, 0), 5);
    assertDid();
    say(MASTER, new RankReport.Lost(1));
    pass(DEAD_SECONDS + 1);
    assertEquals("no progress, as all ranks waited for each other", lastForm().reason());
  }

  @Test
  void oneRankThatComputesIsProgress() {
    beginWithoutReplacements();
    train();
    beat(second -> new Heartbeat.Wait(1, 9, 0), 1);
    for (int second = 0; second < STALL_SECONDS; second++) {
      decide(new Event.Beat(rank(1), null));
      List.of(0, 2, 3).forEach(r -> decide(new Event.Beat(rank(r), new Heartbeat.Wait(1, 9, 0))));
      pass(1);
    }
    assertDid();
  }

  @Test
  void ranksThatDoNotConnectAreOrderedToConnectAgain() {
    beginWithoutReplacements();
    allListen(1, 0, 1, 2, 3);
    actions.clear();
    say(rank(1), new RankReport.Connecting(1));
    say(rank(2), new RankReport.Connecting(1));
    say(rank(3), new RankReport.Connecting(7));
    pass(5);
    assertDid();
    pass(1);
    assertTrue(
        lastWarning()
            .startsWith("ranks 1, 2 listened, but did not connect to the other ranks within 6 s"),
        lastWarning());
    assertDid("warn", "end 1", "form 2 [0, 1, 2, 3]");
    allListen(2, 0, 1, 2, 3);
    actions.clear();
    say(rank(1), new RankReport.Connecting(2));
    pass(10);
    assertDid();
    pass(1);
    assertEquals("not all ranks connected", lastForm().reason());
    assertDid("warn", "end 2", "form 3 [0, 1, 2, 3]");
    allListen(3, 0, 1, 2, 3);
    actions.clear();
    say(rank(1), new RankReport.Connecting(3));
    say(rank(1), new RankReport.Connected(2));
    assertDid();
    say(rank(1), new RankReport.Connected(3));
    assertTrue(lastWarning().endsWith("re-established, with 3 workers"), lastWarning());
    assertDid("warn");
    say(rank(1), new RankReport.Connected(3));
    assertDid();
  }

  @Test
  void ranksThatConnectForTooLongEndTheStart() {
    beginWithoutReplacements();
    allListen(1, 0, 1, 2);
    pass(START_SECONDS - 3);
    allListen(1, 3);
    say(rank(1), new RankReport.Connecting(1));
    actions.clear();
    pass(3);
    assertDid();
    pass(1);
    assertDid("finish 1");
  }

  @Test
  void aRankThatHasLeftAndDoesNotJoinIsKilled() {
    beginWithoutReplacements();
    train();
    end(rank(3), 137);
    actions.clear();
    allListen(2, 0, 2);
    actions.clear();
    pass(2 * START_SECONDS);
    assertDid();
    say(rank(1), new RankReport.Lost(1));
    assertDid("end 1");
    pass(START_SECONDS);
    say(rank(1), new RankReport.Lost(1));
    assertDid();
    pass(1);
    assertDid("kill 1/0");
    pass(START_SECONDS);
    assertDid();
  }

  @Test
  void aMasterThatHasLeftAndDoesNotJoinEndsTheRun() {
    beginWithoutReplacements();
    train();
    end(rank(3), 137);
    allListen(2, 1, 2);
    say(MASTER, new RankReport.Lost(1));
    actions.clear();
    pass(START_SECONDS + 1);
    assertDid("late [0] after 61");
  }

  @Test
  void ranksGetTimeAfterTheMasterHasFinished() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Finished());
    end(MASTER, 0);
    end(rank(1), 0);
    pass(30);
    assertDid();
    pass(1);
    Action.Finish last = (Action.Finish) actions.get(actions.size() - 1);
    assertTrue(last.outcome().cause().startsWith("killed ranks 2, 3, still"), last.toString());
    assertTrue(last.outcome().cause().contains(" 30.0 s "), last.toString());
    assertDid("finish 0");
  }

  @Test
  void aRunWithoutRanksHasFinished() {
    beginWithoutReplacements();
    train();
    end(MASTER, 0);
    for (int rank = 1; rank < 4; rank++) {
      assertDid();
      end(rank(rank), 0);
    }
    assertDid("finish 0");
  }

  @Test
  void aWorkerThatFinishedEndsTrainingForReplacements() {
    train();
    end(rank(2), 137);
    say(rank(1), new RankReport.Finished());
    actions.clear();
    end(rank(1), 0);
    assertDid("warn", "kill 2/1", "form 3 [0, 3]");
    pass(2);
    assertDid();
  }

  @Test
  void aReplacementThatHasNotConnectedIsEndedWhenTrainingIsOver() {
    train();
    end(rank(2), 137);
    say(FIRST, new RankReport.Ready());
    allListen(3, 0, 1, 3);
    actions.clear();
    say(MASTER, new RankReport.Over());
    assertDid("warn", "kill 2/1", "form 4 [0, 1, 3]");
  }

  @Test
  void aReplacementThatHasConnectedStaysWhenTrainingIsOver() {
    train();
    end(rank(2), 137);
    say(FIRST, new RankReport.Ready());
    say(FIRST, new RankReport.Connecting(3));
    say(FIRST, new RankReport.Connected(3));
    actions.clear();
    say(MASTER, new RankReport.Over());
    assertDid();
  }

  @Test
  void aRankOutsideIsEndedWhenTheMasterHasEnded() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Lost(1));
    say(rank(2), new RankReport.Lost(1));
    say(rank(2), new RankReport.Finished());
    end(MASTER, 0);
    assertDid("warn", "kill 1/0");
  }

  @Test
  void theSenderOfAMalformedMessageIsKilled() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Malformed(2, 3, "bits"));
    say(rank(1), new RankReport.Malformed(1, 7, "bits"));
    assertDid();
    say(rank(1), new RankReport.Malformed(1, 3, "bits"));
    assertDid("kill 3/0");
    say(rank(2), new RankReport.Malformed(1, 3, "bits"));
    assertDid();
  }

  @Test
  void aMalformedMessageEndsTheStart() {
    beginWithoutReplacements();
    say(rank(1), new RankReport.Malformed(1, 3, "bits"));
    assertDid("faulty 3");
  }

  @Test
  void rejectedConnectionsOfAFormedGenerationAreNamed() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Rejected(1, false, List.of("a")));
    say(rank(1), new RankReport.Rejected(1, true, List.of()));
    assertDid();
    say(rank(1), new RankReport.Rejected(1, true, List.of("a", "b", "c", "d")));
    assertTrue(lastWarning().endsWith("c to rank 1, d to rank 1"), lastWarning());
    say(rank(1), new RankReport.Rejected(1, true, List.of("a", "b", "c", "d", "e", "f")));
    assertTrue(lastWarning().endsWith("d to rank 1, and 2 more"), lastWarning());
    assertDid("warn", "warn");
  }

  @Test
  void aRankThatReportedAFailureAndStaysIsKilledOnce() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Failed(true, "why"));
    pass(10);
    assertDid();
    pass(1);
    assertDid("kill 1/0");
    pass(5);
    assertDid();
    end(rank(1), 137);
    assertTrue(lastWarning().contains("did not exit, and was killed: why"), lastWarning());
    assertDid("warn", "form 2 [0, 2, 3]");
  }

  /** Rank 1 failed because of rank 2, which says so 1 s later. */
  @Test
  void theCauseOfAFailureIsTheRankThatFailedByItself() {
    begin(Integer.MAX_VALUE, 0);
    train();
    say(rank(1), new RankReport.Failed(false, "rank 2 is gone"));
    end(rank(1), ExitCode.TOO_FEW_WORKERS);
    pass(1);
    assertDid();
    say(rank(2), new RankReport.Failed(true, "its own"));
    pass(8);
    assertDid();
    end(rank(2), 1);
    Action.Finish last = (Action.Finish) actions.get(actions.size() - 1);
    assertTrue(last.outcome().cause().endsWith(": its own"), last.toString());
    assertDid("finish 1");
  }

  @Test
  void aFailureThatNobodyExplainsEndsTheRunAfterAWhile() {
    begin(Integer.MAX_VALUE, 0);
    train();
    say(rank(1), new RankReport.Failed(false, "rank 2 is gone"));
    end(rank(1), 1);
    pass(1);
    assertDid();
    pass(1);
    assertDid("finish 1");
  }

  /** Ranks that have finished cannot explain a failure. */
  @Test
  void aFailureEndsTheRunAtOnceIfAllOthersHaveFinished() {
    begin(Integer.MAX_VALUE, 0);
    train();
    List.of(0, 2, 3).forEach(rank -> say(rank(rank), new RankReport.Finished()));
    say(rank(1), new RankReport.Failed(false, "rank 2 is gone"));
    end(rank(1), 1);
    assertDid("finish 1");
  }

  /** Two workers that failed because of the third would run without its failure. */
  @Test
  void bystandersCountAsWorkers() {
    begin(3, 0);
    train();
    say(rank(1), new RankReport.Failed(false, "rank 3 is gone"));
    end(rank(1), 1);
    say(rank(2), new RankReport.Failed(false, "rank 3 is gone"));
    end(rank(2), 1);
    assertDid();
    end(rank(3), 137);
    Action.Finish last = (Action.Finish) actions.get(actions.size() - 1);
    assertTrue(last.outcome().cause().startsWith("workers left: 2, "), last.toString());
    assertDid("finish " + ExitCode.TOO_FEW_WORKERS);
  }

  /** Rank 2 is dead, but what it has left is not known yet. */
  @Test
  void aDeadRankIsNoMember() {
    beginWithoutReplacements();
    train();
    decide(new Event.Died(rank(2)));
    end(rank(1), 137);
    assertDid("warn", "form 2 [0, 3]");
  }

  @Test
  void aDeadRankThatFailedForOthersCountsAsWorker() {
    begin(2, 0);
    train();
    say(rank(1), new RankReport.Failed(true, "its own"));
    decide(new Event.Died(rank(1)));
    say(rank(2), new RankReport.Failed(false, "rank 3 is gone"));
    decide(new Event.Died(rank(2)));
    end(rank(3), 137);
    Action.Finish last = (Action.Finish) actions.get(actions.size() - 1);
    assertTrue(last.outcome().cause().startsWith("workers left: 1, "), last.toString());
  }

  @Test
  void theReasonOfAGenerationIsWhatHappenedSinceTheLastOneFormed() {
    beginWithoutReplacements();
    train();
    end(rank(1), 137);
    allListen(2, 0, 2, 3);
    say(MASTER, new RankReport.Connected(2));
    end(rank(2), 7);
    String reason = lastForm().reason();
    assertTrue(reason.contains("code 7") && !reason.contains("signal 9"), reason);
  }

  @Test
  void eachGenerationGivesARankTimeToLeave() {
    beginWithoutReplacements();
    train();
    say(rank(1), new RankReport.Lost(1));
    end(rank(3), 137);
    allListen(2, 0, 2);
    pass(START_SECONDS - 1);
    say(rank(1), new RankReport.Lost(1));
    actions.clear();
    pass(START_SECONDS);
    assertDid();
    pass(1);
    assertDid("kill 1/0");
  }
}
