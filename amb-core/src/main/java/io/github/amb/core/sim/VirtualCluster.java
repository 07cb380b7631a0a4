package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Ranks as threads of one process, in virtual time. Each node has one link, which sends one message
 * after the other, and receives one message after the other in the order in which their first bits
 * arrive. A rank that sends waits while {@link Communicator#admits} does not admit the message.
 */
public final class VirtualCluster {
  /** Owner of what {@link #save} saves. */
  public static final String STATE = StateRegistry.CLUSTER;

  private final ClusterModel model;
  private final WorkTime workTime;
  private final double weight;
  final Hold hold;
  final Network network;
  final VirtualCommunicator[] nodes;
  final Scheduler scheduler;
  final Payload.Pool payloads = new Payload.Pool();
  final VirtualGenerations generations;
  private final StateMap[] states;
  private StateMap restored;
  private boolean observed;
  private double uplink = 1;
  private double downlink = 1;
  private BiConsumer<Communicator, Clock> program;
  private Exchange exchange; // null before the first one
  private int exchangeOf; // its generation

  /** A cluster whose ranks are all equally fast. */
  public VirtualCluster(int ranks, CostModel costs) {
    this(ranks, costs, costs.workTime(), 1);
  }

  /**
   * @param ranks number of ranks, master included
   * @param costs latency and bandwidth
   * @param workTime duration of work on each rank
   * @param weight number of parameters that one value of a payload stands for: 1 where parameters
   *     are real, more where a short vector stands for a long one to study timing alone
   */
  public VirtualCluster(int ranks, CostModel costs, WorkTime workTime, double weight) {
    this(ClusterModel.alike(ranks, costs), workTime, weight, Hold.NONE);
  }

  /**
   * A cluster whose nodes may differ, and whose messages may be delayed before they leave.
   *
   * @param model of all ranks, master included
   * @param workTime duration of work on each rank, outside the episodes of the model
   * @param weight number of parameters that one value of a payload stands for
   * @param hold delays messages before they leave their sender
   */
  public VirtualCluster(ClusterModel model, WorkTime workTime, double weight, Hold hold) {
    int ranks = model.nodes().size();
    this.model = model;
    network = new Network(model);
    this.hold = hold;
    this.workTime = workTime;
    this.weight = weight;
    scheduler = new Scheduler(ranks, this::runRank);
    nodes = new VirtualCommunicator[ranks];
    generations = new VirtualGenerations(scheduler, ranks);
    Arrays.setAll(nodes, rank -> new VirtualCommunicator(this, scheduler, rank));
    states = new StateMap[ranks];
    Arrays.setAll(states, rank -> new StateMap());
  }

  /**
   * From now on the master only observes: its messages, and those to it, take no time. Called
   * before the run.
   */
  public void observe() {
    observed = true;
  }

  /**
   * From now on messages have the sizes of encoded ones, where payloads stand for longer ones.
   * Called before the run.
   *
   * @param up bytes of an encoded gradient over those of its floats
   * @param down bytes of encoded parameters over those of their floats
   */
  public void encode(double up, double down) {
    uplink = up;
    downlink = down;
  }

  /** The times of a cluster whose master only observes, so that its updates take none. */
  public static WorkTime ofObserved(WorkTime time) {
    return (rank, work, amount) ->
        rank == Communicator.MASTER && work == Work.UPDATE ? 0 : time.nanos(rank, work, amount);
  }

  /** Whether messages from one rank to another take time. */
  boolean takesTime(int from, int to) {
    return !observed || from != Communicator.MASTER && to != Communicator.MASTER;
  }

  /**
   * Runs {@code program} on every rank. May be called once.
   *
   * @throws RuntimeException the first failure of a rank, as it was thrown
   */
  public void run(BiConsumer<Communicator, Clock> program) {
    this.program = program;
    scheduler.run();
  }

  private void runRank(int rank) {
    program.accept(nodes[rank], nodes[rank]);
    scheduler.sync(rank);
    generations.finish(rank);
    for (int source = 0; source < nodes.length; source++) {
      nodes[rank].letIn(source);
    }
  }

  /** Number of turns of all ranks so far, a measure of the simulation's size. */
  public long events() {
    return scheduler.events();
  }

  /** A rank's membership, for programs that continue after the failure of a rank. */
  public Membership membership(int rank) {
    return new VirtualMembership(this, rank, false);
  }

  /**
   * A rank fails now. Its program must return or continue as a {@linkplain #replacement
   * replacement}. The others' communicators throw once the failure is detected, until they have
   * joined a new generation.
   *
   * @param detection nanoseconds until the others detect the failure
   */
  public void die(int rank, long detection) {
    scheduler.sync(rank);
    generations.die(rank, detection);
  }

  /**
   * Membership of a replacement for a failed rank. It joins when the master admits it and has no
   * state of the failed one.
   */
  public Membership replacement(int rank) {
    return new VirtualMembership(this, rank, true);
  }

  /**
   * Lets {@link #save} save where every rank is and all messages in transit. A rank's {@code state}
   * says when it has nothing under way.
   *
   * <p>Called by every rank of the first generation before it registers what it remembers. Payloads
   * that a rank has received are kept until it has nothing under way again: one per worker.
   */
  public void keepRounds(int rank, StateRegistry state) {
    state.keepRounds(
        new StateRegistry.RoundListener() {
          @Override
          public void enters() {
            enter(rank);
          }

          @Override
          public void begins() {
            nodes[rank].begin();
            if (rank != Communicator.MASTER) {
              state.save(states[rank]);
            }
          }
        });
  }

  /**
   * Lets all ranks continue where they were, once all of them are ready.
   *
   * @param state as {@link #save} has left it; nothing happens if it has left nothing
   */
  public void continueAt(StateMap state) {
    restored = state.has(ClusterState.OWNER) ? state : null;
  }

  /** A rank begins its first round; a resumed one when the master has put all into their places. */
  private void enter(int rank) {
    if (restored == null) {
      return;
    }
    if (rank == Communicator.MASTER) {
      List<ClusterState.Rank> ranks = ClusterState.ranks(restored, payloads, nodes.length);
      for (int each = 0; each < nodes.length; each++) {
        nodes[each].restore(ranks.get(each));
      }
      restored = null;
    }
    while (restored != null) {
      scheduler.await(rank, new Moment(Clock.NEVER, rank));
    }
  }

  /**
   * Saves where every rank is and all messages in transit, if the master has nothing under way and
   * no rank has ever failed. Called by the master.
   *
   * @param into receives it, in place of what was saved before
   * @return whether it was saved
   */
  public boolean save(StateMap into) {
    into.remove(ClusterState.OWNER);
    if (!nodes[Communicator.MASTER].isAtBeginning() || generations.hasChanged()) {
      return false;
    }
    ClusterState.save(Arrays.stream(nodes).map(VirtualCommunicator::state).toList(), into);
    return true;
  }

  /** A copy of what a worker remembered when it last had nothing under way. */
  public StateMap workerState(int rank) {
    return states[rank].copy();
  }

  /** Whether an {@link Exchange} has the times of its messages, whose content does not matter. */
  boolean accountsTogether() {
    return weight != 1 && hold == Hold.NONE && !model.hasMemory();
  }

  /**
   * The exchange that a generation's workers enter now; the first one makes it. All must have
   * entered it before the next one.
   */
  Exchange exchange(int generation, long bytes) {
    if (exchange == null || exchange.isComplete() || generation != exchangeOf) {
      exchangeOf = generation;
      int[] all = IntStream.range(0, nodes.length).toArray();
      exchange = new Exchange(generation == 1 ? all : generations.world(generation), bytes);
    }
    return exchange;
  }

  long payloadBytes(int length) {
    return Math.round(Float.BYTES * weight * length);
  }

  /** Bytes of the payload of a message to a rank, as it would be encoded. */
  long payloadBytes(Message message, int to) {
    return Math.round(share(message.kind(), to) * Float.BYTES * weight * message.length());
  }

  /**
   * Entries of a message to a rank that would be encoded; of addends, with a share of one's own.
   */
  long codedEntries(Message message, int to) {
    boolean coded = share(message.kind(), to) != 1;
    double workers = nodes.length - 1;
    double own = message.kind() == Message.Kind.ADDEND ? workers / (workers - 1) : 1;
    return coded ? Math.round(own * weight * message.length()) : 0;
  }

  private double share(Message.Kind kind, int to) {
    return switch (kind) {
      case GRADIENT, DELTA, ADDEND, ESTIMATE -> uplink;
      case PARAMETERS -> downlink;
      case SLICE -> to == Communicator.MASTER ? 1 : downlink;
      default -> 1;
    };
  }

  long nanos(int rank, Work work, long amount) {
    long nanos =
        workTime.nanos(rank, work, work == Work.UPDATE ? Math.round(amount * weight) : amount);
    long now = scheduler.now(rank);
    return model.nodes().get(rank).slow().finish(now, nanos) - now;
  }
}
