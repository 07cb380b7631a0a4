package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Processes, a clock and chance in place of a cluster; checks every decision. */
public final class SupervisedWorld {
  private static final int EVENTS = 24;

  private static final Timeouts TIMEOUTS = Timeouts.chosen();
  private static final int RANKS = 4;

  /** Enough for each limit of a run to pass, and each killed rank to end. */
  private static final int LAST_TICKS = 100;

  private final Random random;
  private final LaunchPlan plan;
  private final Map<RankId, Process> processes = new LinkedHashMap<>();
  private final List<Failure> failures = new ArrayList<>();
  private RunState state;
  private long now;
  private Order.Form formed;
  private int starts;
  private boolean masterSucceeded;
  private RunOutcome outcome;

  /** A process of a rank, as the world knows it. */
  private static final class Process {
    boolean dead;
    boolean asked;
    boolean released;
    boolean killed;
    boolean finished;
    RankReport.Failed failure;
    int generation = 1;
    final Set<Integer> listens = new HashSet<>();
  }

  /**
   * A failure since the end of the run was decided.
   *
   * @param strength 0 for one because of others, 1 for a rank's own report, 2 for an exit
   */
  private record Failure(String name, int strength) {}

  /** Leads a run through random events to its end, and asserts what must hold after each. */
  public static void lead(long seed) {
    SupervisedWorld world = new SupervisedWorld(seed);
    for (int i = 0; i < EVENTS && !world.hasEnded(); i++) {
      world.happen();
    }
    world.close();
  }

  private SupervisedWorld(long seed) {
    random = new Random(seed);
    now = random.nextLong() >> 2;
    FailurePolicy survival =
        random.nextInt(8) == 0
            ? FailurePolicy.NONE
            : new FailurePolicy(
                1 + random.nextInt(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                random.nextInt(4));
    LaunchPlan here =
        Plans.surviving(
            LaunchPlan.local(RANKS, List.of(), "Main", List.of(), Path.of("logs"), line -> {}),
            survival);
    plan = random.nextBoolean() ? here : Plans.placed(here, List.of("m", "a", "b", "b"));
    for (int rank = 0; rank < RANKS; rank++) {
      processes.put(new RankId(rank, 0), new Process());
    }
    formed = new Order.Form(1, 0, List.of(0, 1, 2, 3), "");
    follow(Supervision.begin(plan, TIMEOUTS, now), null);
  }

  private boolean hasEnded() {
    return state.over;
  }

  /** Something happens: likely first what moves a run on. */
  private void happen() {
    RankId someone = someone();
    int kind = random.nextInt(20);
    if (someone == null || kind < 3) {
      tick(kind == 0 ? 200_000 : random.nextInt(kind == 1 ? 7_000 : 200));
    } else if (kind < 5) {
      Heartbeat.Wait wait = random.nextInt(3) == 0 ? null : new Heartbeat.Wait(1, 1, 1);
      decide(new Event.Beat(someone, wait));
    } else if (kind < 8) {
      die(random.nextInt(4) == 0 ? List.copyOf(living()) : List.of(someone));
    } else if (kind < 9 && random.nextBoolean()) {
      decide(new Event.Said(new RankId(someone.rank(), 77), new RankReport.Lost(1)));
    } else if (kind < 10 && plan.placement().listed() != null) {
      read(state.reading == 0 || random.nextBoolean());
    } else {
      say(someone);
    }
  }

  /** The hosts are read again: some of these, or none if that failed. */
  private void read(boolean asked) {
    List<String> hosts = List.of("a", "b", "b", "c", "d");
    int from = random.nextInt(hosts.size());
    List<String> listed = hosts.subList(from, from + random.nextInt(hosts.size() - from + 1));
    decide(new Event.Hosts(Plans.places(listed), asked));
  }

  private RankId someone() {
    List<RankId> living = living();
    return living.isEmpty() ? null : living.get(random.nextInt(living.size()));
  }

  private List<RankId> living() {
    return processes.keySet().stream().filter(id -> !processes.get(id).dead).toList();
  }

  private void tick(long millis) {
    now += millis * 1_000_000;
    decide(new Event.Tick());
  }

  private void say(RankId from) {
    Process process = processes.get(from);
    int generation = random.nextInt(8) == 0 ? 1 + random.nextInt(9) : process.generation;
    boolean master = from.rank() == 0;
    RankReport report =
        switch (random.nextInt(13)) {
          case 0 -> master ? new RankReport.Training() : new RankReport.Started(7);
          case 1 ->
              master && random.nextInt(3) == 0 ? new RankReport.Over() : new RankReport.Training();
          case 2 -> new RankReport.Finished();
          case 3 -> new RankReport.Failed(random.nextBoolean(), "why");
          case 4 -> new RankReport.Lost(generation);
          case 5 -> new RankReport.Malformed(generation, random.nextInt(RANKS), "bits");
          case 6, 7 -> from.number() > 0 ? new RankReport.Ready() : new RankReport.Progress("{}");
          case 8 -> new RankReport.Connecting(generation);
          case 9 -> new RankReport.Connected(generation);
          case 10 ->
              master ? new RankReport.Lost(generation) : new RankReport.Leaving(generation, 3);
          default -> new RankReport.Listening(generation, 1, 2);
        };
    process.finished |= report instanceof RankReport.Finished;
    process.asked |= report instanceof RankReport.Leaving;
    if (report instanceof RankReport.Failed failed) {
      process.failure = failed;
    } else if (report instanceof RankReport.Listening listening) {
      process.listens.add(listening.generation());
    }
    decide(new Event.Said(from, report));
  }

  /** Processes end at the same time; the launcher learns what they have left one by one. */
  private void die(List<RankId> ranks) {
    for (RankId rank : ranks) {
      processes.get(rank).dead = true;
      decide(new Event.Died(rank));
    }
    for (RankId rank : ranks) {
      int[] codes = {0, 1, 3, 21, 22, 137, 255};
      Process process = processes.get(rank);
      int code = process.killed ? 137 : codes[random.nextInt(codes.length)];
      end(rank, code);
    }
  }

  private void end(RankId rank, int code) {
    masterSucceeded |= rank.rank() == 0 && code == 0;
    decide(new Event.Ended(rank, new RankEnd(name(rank), code, "last line", "", "", false)));
  }

  private static String name(RankId id) {
    return "<" + id.rank() + "/" + id.number() + ">";
  }

  /** The run must end, also when nothing more is heard of any rank. */
  private void close() {
    if (random.nextBoolean()) {
      die(List.copyOf(living()));
    } else {
      for (RankId id : living()) {
        decide(new Event.Beat(id, null));
      }
    }
    for (int i = 0; i < LAST_TICKS && !hasEnded(); i++) {
      for (int reading = state.reading; reading > 0 && !hasEnded(); reading--) {
        read(false);
      }
      die(living().stream().filter(id -> processes.get(id).killed).toList());
      tick(2900);
    }
    assertNotNull(outcome, "the run does not end");
  }

  private void decide(Event event) {
    RunState before = state;
    String text = random.nextInt(500) == 0 ? text(before) : null;
    Supervision.Decision decision = Supervision.decide(plan, TIMEOUTS, before, now, event);
    if (text != null) {
      assertEquals(text, text(before), "the state before was modified");
    }
    if (before.over) {
      assertEquals(List.of(), decision.actions(), "the run has ended");
    }
    follow(decision, event);
  }

  private void follow(Supervision.Decision decision, Event event) {
    if (decision.state().cause != null && event instanceof Event.Ended ended) {
      KnownRank member = state.members.get(ended.rank().rank());
      boolean good =
          ended.end().exitCode() == 0 && (masterSucceeded || processes.get(ended.rank()).finished);
      if (member != null && member.id.equals(ended.rank()) && !good) {
        failures.add(failure(ended, member));
      }
    }
    RunState before = state;
    state = decision.state();
    List<Order.Form> forms = new ArrayList<>();
    for (Action action : decision.actions()) {
      if (action instanceof Action.Tell tell) {
        assertFalse(process(tell.rank()).dead, "an order to a dead rank");
        ordered(tell, forms);
      } else if (action instanceof Action.Kill kill) {
        assertFalse(process(kill.rank()).dead, "a dead rank is killed");
        process(kill.rank()).killed = true;
      } else if (action instanceof Action.Start start) {
        start(start.rank(), before);
      } else {
        finish(action);
      }
    }
    if (!forms.isEmpty()) {
      assertEquals(forms.get(0).members().size(), forms.size(), "ranks that are ordered");
    }
  }

  private Failure failure(Event.Ended ended, KnownRank known) {
    Process process = processes.get(ended.rank());
    int code = known.stuck ? 1 : ended.end().exitCode();
    boolean exit =
        process.failure == null || known.killed != null || code > 128 && code < 193 || code == 3;
    return new Failure(ended.end().name(), exit ? 2 : process.failure.own() ? 1 : 0);
  }

  private Process process(RankId id) {
    assertTrue(processes.containsKey(id), "a process that was never started");
    return processes.get(id);
  }

  private void ordered(Action.Tell tell, List<Order.Form> forms) {
    Process process = process(tell.rank());
    if (tell.order() instanceof Order.Form form) {
      if (forms.isEmpty()) {
        assertEquals(formed.generation() + 1, form.generation(), "one generation after the other");
        formed = form;
      }
      assertEquals(formed.generation(), form.generation(), "one generation at a time");
      assertFalse(process.released, "an order to a rank that was to leave");
      assertEquals(formed.members(), form.members(), "all ranks know the same members");
      assertEquals(tell.rank().rank(), form.members().get(form.rank()));
      assertEquals(0, form.members().get(0), "the master leads");
      forms.add(form);
      process.generation = form.generation();
    } else if (tell.order() instanceof Order.Table table) {
      assertEquals(formed.generation(), table.generation(), "a table of the newest generation");
      assertEquals(formed.members().size(), table.places().size());
      assertTrue(process.listens.contains(table.generation()), "a rank that does not listen");
      assertEquals(table.generation(), process.generation);
    } else if (tell.order() instanceof Order.End end) {
      assertTrue(end.generation() <= formed.generation(), "the end of what was not formed");
    } else if (tell.order() instanceof Order.Release release) {
      assertEquals(0, tell.rank().rank(), "the master releases");
      assertEquals(formed.generation(), release.generation(), "a release of an old generation");
      assertTrue(formed.members().contains(release.rank()), "a release of one that is no member");
      processes.get(state.members.get(release.rank()).id).released = true;
    } else if (tell.order() instanceof Order.Leave) {
      process.asked = true;
    } else {
      assertTrue(process.asked, "the end of a rank that was not asked to end");
    }
  }

  private void start(RankId id, RunState before) {
    starts++;
    int placed = state.placed;
    assertTrue(starts - placed <= plan.survival().respawns(), "more replacements than allowed");
    assertFalse(before.stage.has(RunStage.OVER), "no step follows");
    assertTrue(living().stream().noneMatch(other -> other.rank() == id.rank()), "two of one rank");
    assertNull(processes.put(id, new Process()));
    if (random.nextInt(5) == 0) {
      processes.remove(id);
      decide(new Event.Unstartable(id, "no room"));
    }
  }

  private void finish(Action action) {
    if (action instanceof Action.Finish finish) {
      assertNull(outcome, "two ends");
      outcome = finish.outcome();
      if (outcome.exitCode() == 0) {
        assertTrue(masterSucceeded && failures.isEmpty(), "a success: " + outcome);
      } else if (!failures.isEmpty()) {
        int strongest = failures.stream().mapToInt(Failure::strength).max().orElseThrow();
        Failure cause =
            failures.stream()
                .filter(failure -> failure.strength() == strongest)
                .findFirst()
                .orElseThrow();
        assertTrue(outcome.cause().contains(cause.name()), outcome + " of " + failures);
      }
    } else if (action instanceof Action.FinishLate || action instanceof Action.FinishFaulty) {
      assertNull(outcome, "two ends");
      boolean master =
          action instanceof Action.FinishLate late && late.missing().get(0).rank() == 0;
      assertTrue(master || !state.isTraining(), "a run that trains ends for a worker");
      outcome = new RunOutcome(1, "");
    }
  }

  /** All fields. */
  private static String text(RunState state) {
    Map<String, String> all = new TreeMap<>();
    try {
      add(state, all, "");
      for (KnownRank rank : state.alive()) {
        add(rank, all, rank.id + " ");
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
    return all.toString();
  }

  private static void add(Object from, Map<String, String> all, String prefix)
      throws IllegalAccessException {
    for (var field : from.getClass().getDeclaredFields()) {
      field.setAccessible(true);
      all.put(prefix + field.getName(), String.valueOf(field.get(from)));
    }
  }
}
