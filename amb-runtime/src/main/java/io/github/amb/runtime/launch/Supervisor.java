package io.github.amb.runtime.launch;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.control.RejectedConnections;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides, from the events of all ranks, which ranks train on and how the run ends. */
final class Supervisor {
  /** Maximum number of rejected connections that one line names. */
  private static final int MAX_NAMED = 4;

  /** Nanoseconds between two ticks. */
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

  /** Nanoseconds between the failure of a replacement and the start of the next one. */
  private static final long RESPAWN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LaunchPlan plan;
  private final Timeouts timeouts;
  private final RankProcesses processes;
  private final RankCommand command;
  private final ControlServer control;
  private final RejectedConnections rejected;
  private final Generations generations;
  private final OutOfMemoryKills memory = OutOfMemoryKills.here();
  private final HeartbeatMonitor heartbeats;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final SortedMap<Integer, RankProcess> members = new TreeMap<>();

  /** Replacements that have not joined, and when they were started. */
  private final Map<RankProcess, Long> standby = new LinkedHashMap<>();

  /** Ranks to replace, and when. */
  private final SortedMap<Integer, Long> vacant = new TreeMap<>();

  private int running;
  private int respawned;
  private int ended;
  private long patience;
  private RunStage stage = RunStage.STARTING;
  private long masterEnded;
  private long lostSince = Long.MIN_VALUE;
  private boolean reconnecting;
  private FailureCause rootCause;

  /**
   * A report of a rank, or its end.
   *
   * @param rank the rank
   * @param report its report; null if its process has ended
   */
  private record Event(RankProcess rank, RankReport report) {}

  Supervisor(
      LaunchPlan plan,
      Timeouts timeouts,
      RankProcesses processes,
      RankCommand command,
      ControlServer control,
      RejectedConnections rejected) {
    this.plan = plan;
    this.timeouts = timeouts;
    this.processes = processes;
    this.command = command;
    this.control = control;
    this.rejected = rejected;
    generations = new Generations(plan.placement());
    patience = timeouts.connect().toNanos();
    heartbeats = new HeartbeatMonitor(plan.survival(), plan.view()::warn);
  }

  /** Starts the ranks of the first generation. */
  void startAll() throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      members.put(rank, start(rank, 0, command.of(rank)));
    }
    generations.begin(List.copyOf(members.values()));
    showStart();
  }

  private RankProcess start(int rank, int number, RankStart how) throws IOException {
    RankProcess process =
        new RankProcess(
            rank,
            how,
            number,
            control,
            plan.logDirectory(),
            rank == 0 ? plan.masterOutput() : line -> {},
            (from, report) -> events.add(new Event(from, report)),
            plan.view()::warn);
    process.onExit(() -> events.add(new Event(process, null)));
    processes.add(process);
    running++;
    return process;
  }

  /** Waits for the end of the run, or the first failure that it does not survive. */
  RunOutcome await() throws InterruptedException {
    long next = System.nanoTime();
    while (running > 0) {
      // Events may come without a pause: a tick does not wait for one.
      long left = next - System.nanoTime();
      Event event = left > 0 ? events.poll(left, TimeUnit.NANOSECONDS) : null;
      next = event == null ? System.nanoTime() + TICK : next;
      memory.watch();
      RunOutcome outcome = event == null ? tick() : handle(event);
      if (outcome != null) {
        return outcome;
      }
    }
    return rootCause == null
        ? new RunOutcome(0, "")
        : rootCause.verdict(System.nanoTime(), false, false);
  }

  /** Handles what follows from the passing of time. */
  private RunOutcome tick() {
    if (control.failure() != null) {
      return new RunOutcome(1, "the launcher's control server failed: " + control.failure());
    }
    endStuck();
    endUnready();
    if (rootCause != null) {
      return verdict();
    }
    if (masterEnded()) {
      return afterMaster();
    }
    heartbeats.check(watched());
    respawn();
    return meeting();
  }

  /** Members and replacements. */
  private List<RankProcess> watched() {
    return Stream.concat(members.values().stream(), standby.keySet().stream()).toList();
  }

  /** Kills replacements that are not ready in time. */
  private void endUnready() {
    standby.forEach(
        (rank, since) -> {
          if (System.nanoTime() - since > plan.startLimit().toNanos() && rank.reason() == null) {
            rank.kill(
                "not ready to join within %d s (--start-limit)"
                    .formatted(plan.startLimit().toSeconds()));
          }
        });
  }

  /** Kills ranks that reported a failure and do not exit. */
  private void endStuck() {
    for (RankProcess rank : alive(watched())) {
      if (rank.sinceFailure() > timeouts.afterReport().toNanos() && !rank.isStuck()) {
        rank.killStuck();
      }
    }
  }

  private RunOutcome afterMaster() {
    long since = System.nanoTime() - masterEnded;
    return since < timeouts.afterMaster().toNanos()
        ? null
        : new RunOutcome(
            0,
            "killed %s, still running %.1f s after the master had finished"
                .formatted(
                    ranks(alive(processes.all()).stream().map(rank -> rank.rank).toList()),
                    timeouts.afterMaster().toMillis() / 1e3));
  }

  /** Checks that the ranks of the newest generation listen and connect in time. */
  private RunOutcome meeting() {
    long left = plan.startLimit().toNanos() - generations.age();
    if (left < 0 && !generations.isComplete()) {
      return late();
    }
    if (left < 0 && generations.unconnected() > 0) {
      return new RunOutcome(1, unconnected());
    }
    if (left > timeouts.connect().toNanos() && generations.unconnected() > patience) {
      connectAgain();
    }
    endIfNothingMoves();
    boolean waited =
        lostSince != Long.MIN_VALUE
            && System.nanoTime() - lostSince > plan.survival().deadAfter().toNanos();
    if (waited && members.get(0).isAlive()) {
      warn("connections between ranks broke, but no rank ended: re-establishing connections");
      reconnecting = true;
      endGeneration(generations.number(), "connections between ranks broke");
      form("");
    }
    return null;
  }

  /** Ends a generation whose ranks all wait for each other, as they would wait for ever. */
  private void endIfNothingMoves() {
    long limit = plan.survival().stallAfter().toNanos();
    boolean stuck =
        training()
            && generations.isComplete()
            && generations.number() > ended
            && members.values().stream().allMatch(rank -> rank.waited() > limit);
    if (stuck) {
      warn(
          "no progress for %.1f s, as all ranks wait for each other: re-establishing connections"
              .formatted(plan.survival().stallAfter().toMillis() / 1000.0));
      reconnecting = true;
      endGeneration(generations.number(), "no progress, as all ranks waited for each other");
    }
  }

  /** A rank that still computes in an earlier generation is not late: it looks at orders later. */
  private RunOutcome late() {
    List<RankProcess> missing =
        generations.missing().stream().filter(rank -> !training() || rank.isOutside()).toList();
    if (missing.isEmpty()) {
      return null;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(generations.age());
    RankProcess first = missing.get(0);
    if (!training() || first.rank == 0) {
      return new RunOutcome(
          1,
          "%s did not join within %d s; %s; see its log, or raise --start-limit%s"
              .formatted(
                  ranks(missing.stream().map(rank -> rank.rank).toList()),
                  seconds,
                  first.describe("is running"),
                  rejected.describe().isEmpty() ? "" : "; " + rejected.describe()));
    }
    first.kill("did not join within " + seconds + " s");
    return null;
  }

  /** Orders new connections, as MPJ Express waits for ever for one that fails. */
  private void connectAgain() {
    warn(unconnected() + "; re-establishing connections");
    patience *= 2;
    reconnecting = true;
    endGeneration(generations.number(), "not all ranks connected");
    lostSince = Long.MIN_VALUE;
    generations.formAgain(alive(members.values()));
  }

  private String unconnected() {
    return "%s listened, but did not connect to the other ranks within %s s; check the firewalls between them"
        .formatted(
            ranks(generations.connecting()),
            TimeUnit.NANOSECONDS.toSeconds(generations.unconnected()));
  }

  /** Ends a generation and those before it, once. */
  private void endGeneration(int number, String reason) {
    if (number > ended) {
      ended = number;
      Order end = new Order.End(number, reason);
      members.values().forEach(rank -> rank.tell(end));
    }
  }

  private RunOutcome handle(Event event) {
    RankProcess rank = event.rank();
    RunOutcome outcome = event.report() == null ? ended(rank) : reported(rank, event.report());
    if (masterEnded()) {
      dismiss(RankProcess::isOutside);
    }
    return outcome;
  }

  private RunOutcome reported(RankProcess rank, RankReport report) {
    if (report instanceof RankReport.Training) {
      stage = stage.advance(RunStage.TRAINING);
    } else if (report instanceof RankReport.Over) {
      over();
    } else if (report instanceof RankReport.Ready) {
      join(rank);
    } else if (report instanceof RankReport.Progress progress) {
      show(progress);
    } else if (report instanceof RankReport.Malformed malformed) {
      return malformed(malformed);
    } else {
      ofGeneration(rank, report);
    }
    return null; // Failed or finished ranks are judged by their exit.
  }

  /** What cannot be read is not shown. */
  private void show(RankReport.Progress report) {
    Progress progress = Progress.fromJson(report.line());
    if (progress != null) {
      plan.view().progress(progress);
    }
  }

  private void showStart() {
    if (!training()) {
      plan.view().stage("starting ranks", generations.met(), members.size());
    }
  }

  private void ofGeneration(RankProcess rank, RankReport report) {
    if (report instanceof RankReport.Connecting connecting) {
      outside(rank);
      generations.connecting(rank.rank, connecting.generation());
    } else if (report instanceof RankReport.Listening listening) {
      generations.listening(rank, listening);
      showStart();
    } else if (report instanceof RankReport.Connected connected) {
      connected(rank, connected.generation());
    } else if (report instanceof RankReport.Lost lost) {
      outside(rank);
      noteLoss(lost.generation());
    } else if (report instanceof RankReport.Rejected peers && peers.formed()) {
      name(peers.addresses().stream().map(from -> from + " to rank " + rank.rank).toList());
    }
  }

  private void outside(RankProcess rank) {
    rank.outside(true);
    if (training()) {
      generations.left(rank);
    }
  }

  private void connected(RankProcess rank, int generation) {
    rank.outside(false);
    generations.connected(rank.rank, generation);
    if (generations.connecting().isEmpty()) {
      patience = timeouts.connect().toNanos();
      if (reconnecting && generations.isComplete()) {
        reconnecting = false;
        warn("connections between ranks are re-established, with " + count(members.size() - 1));
      }
    }
  }

  /** Kills the sender of a malformed message: its other messages may be wrong, too. */
  private RunOutcome malformed(RankReport.Malformed malformed) {
    RankProcess sender = members.get(malformed.rank());
    if (malformed.generation() != generations.number() || sender == null) {
      return null;
    }
    String what = "malformed message: " + malformed.reason();
    if (!training()) {
      return new RunOutcome(1, sender.describe("sent a " + what));
    }
    sender.kill(what);
    return null;
  }

  private void name(List<String> rejected) {
    if (!rejected.isEmpty()) {
      int more = rejected.size() - MAX_NAMED;
      warn(
          "rejected connections to ranks that were not authenticated: "
              + rejected.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
              + (more > 0 ? ", and " + more + " more" : ""));
    }
  }

  /**
   * Records that a rank has left a generation. A rank's exit may explain it; otherwise the ranks
   * connect again. If a newer one is ordered, the others leave it, too: behind a cut link, nothing
   * else reports its end.
   */
  private void noteLoss(int generation) {
    if (generation < generations.number()) {
      endGeneration(generation, "a rank has left for generation " + generations.number());
    } else if (lostSince == Long.MIN_VALUE) {
      lostSince = System.nanoTime();
    }
  }

  private RunOutcome ended(RankProcess rank) {
    running--;
    control.forget(rank.line());
    if (processes.isEnding()) {
      return stopped();
    }
    boolean early = rank.rank > 0 && !masterEnded() && !rank.hasFinished();
    if (rank.exitCode() != 0 || early) {
      return lost(rank, RankFailure.of(rank, memory));
    }
    if (rank.rank == 0) {
      stage = stage.advance(RunStage.MASTER_ENDED);
      masterEnded = System.nanoTime();
    } else if (!masterEnded()) {
      finished(rank);
    }
    return null;
  }

  /** Removes a worker that has finished; ranks must not wait for it. */
  private void finished(RankProcess rank) {
    over();
    members.remove(rank.rank);
    if (generations.missing().contains(rank)) {
      form("");
    }
  }

  /** Ends replacements that have not joined, as no step follows. */
  private void over() {
    stage = stage.advance(RunStage.OVER);
    if (dismiss(rank -> rank.number > 0 && rank.isOutside())) {
      form("");
    }
  }

  /** Ends ranks that nobody waits for; returns whether one of them was a member. */
  private boolean dismiss(Predicate<RankProcess> unneeded) {
    List<RankProcess> leaving = new ArrayList<>(standby.keySet());
    members.values().stream().filter(unneeded).forEach(leaving::add);
    leaving.removeIf(rank -> rank.rank == 0 || !rank.isAlive() || rank.hasFinished());
    boolean member = false;
    for (RankProcess rank : leaving) {
      standby.remove(rank);
      member |= members.remove(rank.rank, rank);
      warn("ended rank " + rank.rank + ", which had not joined when training was complete");
      rank.kill();
    }
    return member;
  }

  private static RunOutcome stopped() {
    return new RunOutcome(ExitCode.STOPPED, RunOutcome.INTERRUPTED);
  }

  /** Handles a rank failure; returns the outcome if it ends the run, or null. */
  private RunOutcome lost(RankProcess rank, RankFailure loss) {
    if (standby.remove(rank) != null) {
      warn(loss.cause() + "; this replacement failed to start");
      vacant.put(rank.rank, System.nanoTime() + RESPAWN_PAUSE_NANOS);
    }
    if (!members.remove(rank.rank, rank)) {
      return null;
    }
    int workers = standing();
    RunOutcome end = loss.end(stage, plan.survival(), workers);
    if (rootCause != null || end != null) {
      rootCause = rootCause == null ? new FailureCause(timeouts, System.nanoTime()) : rootCause;
      rootCause.add(loss, end);
      return verdict();
    }
    warn("%s; removed from the run, continuing with %s".formatted(loss.cause(), count(workers)));
    form(loss.cause());
    vacant.put(rank.rank, System.nanoTime());
    respawn();
    return null;
  }

  private RunOutcome verdict() {
    boolean left = members.values().stream().anyMatch(rank -> !rank.hasFinished());
    boolean failing =
        alive(members.values()).stream()
            .anyMatch(rank -> rank.failure() != null && rank.failure().own());
    return rootCause.verdict(System.nanoTime(), left, failing);
  }

  /** Number of workers that run, or would run without the failure of others. */
  private int standing() {
    int here =
        (int)
            members.values().stream()
                .filter(rank -> rank.rank > 0)
                .filter(rank -> rank.isAlive() || rank.failure() != null && !rank.failure().own())
                .count();
    return here + (rootCause == null ? 0 : rootCause.bystanders());
  }

  /** Replaces lost ranks, and replacements that have failed, as often as is allowed. */
  private void respawn() {
    for (int rank : List.copyOf(vacant.keySet())) {
      if (vacant.get(rank) - System.nanoTime() <= 0) {
        vacant.remove(rank);
        respawn(rank);
      }
    }
  }

  private void respawn(int rank) {
    if (respawned >= plan.survival().respawns() || stage.has(RunStage.OVER)) {
      return;
    }
    respawned++;
    warn(
        "starting a replacement for rank %d (%d of %d, --respawn)"
            .formatted(rank, respawned, plan.survival().respawns()));
    try {
      standby.put(start(rank, respawned, command.standby(rank, respawned)), System.nanoTime());
    } catch (IOException e) {
      warn("the replacement for rank %d cannot start: %s".formatted(rank, FileFailure.text(e)));
      vacant.put(rank, System.nanoTime() + RESPAWN_PAUSE_NANOS);
    }
  }

  private void join(RankProcess rank) {
    if (standby.remove(rank) != null) {
      rank.outside(true);
      members.put(rank.rank, rank);
      warn("rank %d joins; continuing with %s".formatted(rank.rank, count(members.size() - 1)));
      form("rank " + rank.rank + " joins");
    }
  }

  private void form(String reason) {
    lostSince = Long.MIN_VALUE;
    generations.form(alive(members.values()), reason);
  }

  private static String count(int workers) {
    return workers == 1 ? "1 worker" : workers + " workers";
  }

  private boolean training() {
    return stage.has(RunStage.TRAINING);
  }

  private boolean masterEnded() {
    return stage.has(RunStage.MASTER_ENDED);
  }

  private void warn(String line) {
    plan.view().warn(line);
  }

  private static List<RankProcess> alive(Collection<RankProcess> ranks) {
    return ranks.stream().filter(RankProcess::isAlive).toList();
  }

  private static String ranks(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
