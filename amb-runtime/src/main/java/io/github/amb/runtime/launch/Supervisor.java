package io.github.amb.runtime.launch;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides from what happens to the ranks, in the order it happens, who goes on and how the run
 * ends.
 */
final class Supervisor {
  /** How long workers may go on after the master has ended, in seconds. */
  private static final long AFTER_MASTER_SECONDS = 30;

  /** How long a rank that reported its failure may take to exit, in seconds. */
  private static final long AFTER_REPORT_SECONDS = 10;

  /** How long ranks that have met may take to connect; twice as long every next time. */
  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Strangers that are named in one line. */
  private static final int MOST_NAMED = 4;

  private static final long TICK_MILLIS = 100;

  private final LaunchPlan plan;
  private final Crew crew;
  private final Epochs epochs;
  private final Pulse pulse;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final SortedMap<Integer, RankProcess> members = new TreeMap<>();
  private final Set<RankProcess> standby = new HashSet<>();
  private int running;
  private int respawned;
  private int ended;
  private long patience = CONNECT_NANOS;
  private RunStage stage = RunStage.STARTING;
  private long masterEnded;
  private long lostSince = Long.MIN_VALUE;

  /**
   * Something that happened.
   *
   * @param report what the rank reported, or null if its process has ended
   */
  private record Event(RankProcess rank, RankReport report) {}

  Supervisor(LaunchPlan plan, Crew crew, Epochs epochs) {
    this.plan = plan;
    this.crew = crew;
    this.epochs = epochs;
    pulse = new Pulse(plan.survival(), Supervisor::warn);
  }

  /** Starts the ranks of the first world. */
  void startAll() throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      members.put(rank, start(rank, epochs.command().of(rank)));
    }
  }

  private RankProcess start(int rank, RankStart command) throws IOException {
    RankProcess process =
        new RankProcess(
            rank,
            command,
            plan.logDirectory(),
            rank == 0 ? plan.masterOutput() : line -> {},
            (from, report) -> events.add(new Event(from, report)));
    process.onExit(() -> events.add(new Event(process, null)));
    crew.add(process);
    running++;
    return process;
  }

  /** Waits for the end of the run or the first failure that it does not survive. */
  Outcome await() throws IOException, InterruptedException {
    while (running > 0) {
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      Outcome outcome = event == null ? tick() : handle(event);
      if (outcome != null) {
        return outcome;
      }
    }
    return new Outcome(0, "");
  }

  /** What follows from time alone. */
  private Outcome tick() throws IOException {
    if (masterEnded()) {
      long since = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - masterEnded);
      return since < AFTER_MASTER_SECONDS
          ? null
          : new Outcome(
              0,
              "%s went on for %d s after the master had finished; killed"
                  .formatted(
                      ranks(alive(crew.all()).stream().map(rank -> rank.rank).toList()),
                      AFTER_MASTER_SECONDS));
    }
    pulse.check(members.values());
    long left = plan.startLimit().toNanos() - epochs.age();
    if (left < 0 && !epochs.isComplete()) {
      return late();
    }
    if (left < 0 && epochs.unconnected() > 0) {
      return new Outcome(1, unconnected());
    }
    if (left > CONNECT_NANOS && epochs.unconnected() > patience) {
      connectAgain();
    }
    endIfNothingMoves();
    boolean waited =
        lostSince != Long.MIN_VALUE
            && System.nanoTime() - lostSince > plan.survival().deadAfter().toNanos();
    if (waited && members.get(0).isAlive()) {
      warn("connections between ranks broke, no rank ended: they connect again");
      form();
    }
    return null;
  }

  /** Ranks that all wait for each other would do so for good. */
  private void endIfNothingMoves() {
    long limit = plan.survival().stallAfter().toNanos();
    boolean stuck =
        training()
            && epochs.isComplete()
            && epochs.number() > ended
            && members.values().stream().allMatch(rank -> rank.waited() > limit);
    if (stuck) {
      ended = epochs.number();
      warn(
          "all ranks have waited for each other for %.1f s: they connect again"
              .formatted(plan.survival().stallAfter().toMillis() / 1000.0));
      endEpoch("all ranks waited for each other");
    }
  }

  private Outcome late() {
    List<Integer> missing = epochs.missing();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(epochs.age());
    RankProcess first = members.get(missing.isEmpty() ? 0 : missing.get(0));
    if (!training() || first.rank == 0) {
      return new Outcome(
          1,
          "%s did not join within %d s; %s; see its log, or raise --start-limit"
              .formatted(ranks(missing), seconds, first.describe("is running")));
    }
    first.kill("did not join within " + seconds + " s");
    return null;
  }

  /** MPJ Express waits for good for a connection that did not come about. */
  private void connectAgain() throws IOException {
    warn(unconnected() + ": they connect again");
    patience *= 2;
    endEpoch("not all ranks connected");
    lostSince = Long.MIN_VALUE;
    epochs.formAgain(alive(members.values()));
  }

  private String unconnected() {
    return "%s met the others, but did not connect to them within %s s; a firewall may keep them apart"
        .formatted(
            ranks(epochs.connecting()), TimeUnit.NANOSECONDS.toSeconds(epochs.unconnected()));
  }

  private void endEpoch(String reason) {
    String end = ParentWatch.endOf(epochs.number(), reason);
    members.values().forEach(rank -> rank.tell(end));
  }

  private Outcome handle(Event event) throws IOException, InterruptedException {
    if (event.report() == null) {
      return ended(event.rank());
    }
    switch (event.report().kind()) {
      case TRAINING -> stage = stage.advance(RunStage.TRAINING);
      case OVER -> stage = stage.advance(RunStage.OVER);
      case READY -> join(event.rank());
      case CONNECTING -> epochs.connecting(event.rank().rank, epoch(event));
      case CONNECTED -> connected(event.rank().rank, epoch(event));
      case DROPS -> dropped(event.rank().rank, event);
      case DISTRUSTS -> {
        return distrusted(event);
      }
      case LOST -> noteLoss(event.report());
      case FAILED -> {
        return reportedFailure(event.rank());
      }
      default -> {
        // Finished ranks tell by their exit.
      }
    }
    return null;
  }

  private static int epoch(Event event) {
    return Integer.parseInt(event.report().text().split(" ")[0]);
  }

  private void connected(int rank, int epoch) {
    epochs.connected(rank, epoch);
    if (epochs.connecting().isEmpty()) {
      patience = CONNECT_NANOS;
    }
  }

  private void dropped(int rank, Event event) {
    name(
        Stream.of(event.report().text().split(" "))
            .skip(1)
            .map(stranger -> stranger + " to rank " + rank)
            .toList());
  }

  /** What a rank says that has sent a malformed frame is not to be trusted any more. */
  private Outcome distrusted(Event event) {
    String[] words = event.report().text().split(" ", 3);
    RankProcess sender = members.get(Integer.parseInt(words[1]));
    if (epoch(event) != epochs.number() || sender == null) {
      return null;
    }
    String what = "sent a malformed frame: " + words[2];
    if (!training()) {
      return new Outcome(1, sender.describe(what));
    }
    sender.kill(what);
    return null;
  }

  private static void name(List<String> strangers) {
    if (!strangers.isEmpty()) {
      int more = strangers.size() - MOST_NAMED;
      warn(
          "something that is no rank connected to ranks while they met, and is dropped: "
              + strangers.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
              + (more > 0 ? ", and " + more + " more" : ""));
    }
  }

  /** A rank's exit may explain it; if none does, its connections are to be made anew. */
  private void noteLoss(RankReport report) {
    if (report.text().equals(Integer.toString(epochs.number())) && lostSince == Long.MIN_VALUE) {
      lostSince = System.nanoTime();
    }
  }

  private Outcome reportedFailure(RankProcess rank) throws IOException, InterruptedException {
    boolean ended = rank.awaitEnd(TimeUnit.SECONDS.toMillis(AFTER_REPORT_SECONDS));
    if (crew.isEnding()) {
      return stopped();
    }
    if (!ended) {
      rank.kill();
      return lost(rank, Loss.ofStuck(rank));
    }
    return lost(rank, Loss.of(rank));
  }

  private Outcome ended(RankProcess rank) throws IOException {
    running--;
    if (crew.isEnding()) {
      return stopped();
    }
    boolean early = rank.rank > 0 && !masterEnded() && !rank.hasFinished();
    if (rank.exitCode() != 0 || early) {
      return lost(rank, Loss.of(rank));
    }
    if (rank.rank == 0) {
      stage = stage.advance(RunStage.MASTER_ENDED);
      masterEnded = System.nanoTime();
    } else if (!masterEnded()) {
      finished(rank);
    }
    return null;
  }

  /** The master has told it that training is over; a world that waits for it waits in vain. */
  private void finished(RankProcess rank) throws IOException {
    stage = stage.advance(RunStage.OVER);
    members.remove(rank.rank);
    if (epochs.missing().contains(rank.rank)) {
      form();
    }
  }

  private static Outcome stopped() {
    return new Outcome(Outcome.STOPPED, "stopped from outside");
  }

  /** A rank is gone that should not be; the run ends if it cannot go on without it. */
  private Outcome lost(RankProcess rank, Loss loss) throws IOException {
    if (standby.remove(rank)) {
      warn(loss.cause() + "; it does not replace the rank that was lost");
    }
    if (members.get(rank.rank) != rank) {
      return null;
    }
    members.remove(rank.rank);
    int workers = (int) alive(members.values()).stream().filter(m -> m.rank > 0).count();
    Outcome end = loss.end(stage, plan.survival(), workers);
    if (end == null) {
      warn("%s; excluded, the run goes on with %d workers".formatted(loss.cause(), workers));
      form();
      respawn(rank.rank);
    }
    return end;
  }

  private void respawn(int rank) throws IOException {
    if (respawned < plan.survival().respawns() && !stage.has(RunStage.OVER)) {
      respawned++;
      warn(
          "rank %d is started again (%d of %d)"
              .formatted(rank, respawned, plan.survival().respawns()));
      standby.add(start(rank, epochs.command().standby(rank)));
    }
  }

  private void join(RankProcess rank) throws IOException {
    if (standby.remove(rank) && !masterEnded()) {
      members.put(rank.rank, rank);
      warn("rank %d joins; %d workers".formatted(rank.rank, members.size() - 1));
      form();
    }
  }

  private void form() throws IOException {
    lostSince = Long.MIN_VALUE;
    epochs.form(alive(members.values()));
  }

  private boolean training() {
    return stage.has(RunStage.TRAINING);
  }

  private boolean masterEnded() {
    return stage.has(RunStage.MASTER_ENDED);
  }

  private static void warn(String line) {
    System.err.println("amb: " + line);
  }

  private static List<RankProcess> alive(Collection<RankProcess> ranks) {
    return ranks.stream().filter(RankProcess::isAlive).toList();
  }

  private static String ranks(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
