package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The master's links to its workers. A worker is busy from when parameters are sent to it until its
 * result has come. A worker that never waits is busy while as many sets of parameters as {@link
 * Communicator#room} admits are under way to it, so that the master never waits for it. A set is
 * under way until the worker's notice says that it has been taken.
 */
final class WorkerLinks implements Checkpointed {
  private final MasterContext master;
  private final Communicator communicator;
  private final Message.Kind answer;
  final int workers;
  private final int window;
  private final long[] underWay;
  private final BitSet addressed = new BitSet();
  private final long[] sentStep;
  private final long[] sentTime;
  private final Message message = new Message();
  private final Message again = new Message();
  private float[] instead; // null to send the parameters
  private boolean offering;
  private long offered;
  private double learningRate;
  private double timeLimit;

  /**
   * @param uplink what the workers' results are
   */
  WorkerLinks(MasterContext master, Communicator communicator, Uplink uplink) {
    this.master = master;
    this.communicator = communicator;
    boolean changes = uplink.isOfChanges() || uplink.isObserved();
    answer = changes ? Message.Kind.DELTA : Message.Kind.GRADIENT;
    workers = communicator.size() - 1;
    window = communicator.room(master.parameters().length);
    underWay = new long[workers + 1];
    sentStep = new long[workers + 1];
    sentTime = new long[workers + 1];
    master.state().registerOfRounds("links", this);
  }

  @Override
  public void visit(StateVisitor state) {
    if (state.has("under-way")) {
      state.integers("under-way", underWay);
    } else { // Saved before several sets could be under way.
      BitSet idle = BitSet.valueOf(state.anyIntegers("idle", new long[0]));
      Arrays.setAll(underWay, rank -> idle.get(rank) ? 0 : 1);
    }
    state.integers("sent-step", sentStep);
    state.integers("sent-time", sentTime);
    offering = state.integer("offering", offering ? 1 : 0) == 1;
  }

  /** Waits until every worker is ready. */
  void awaitReady() {
    for (int worker = 0; worker < workers; worker++) {
      communicator.receive(Communicator.ANY, message, Clock.NEVER);
      expect(message, Message.Kind.READY, 0, true);
    }
  }

  /** Whether a worker may be sent parameters now. */
  boolean isIdle(int rank) {
    return underWay[rank] < (offering ? window : 1);
  }

  /** Whether a busy worker, which admits another set, has parameters of {@code age} steps ago. */
  boolean isOutdated(int rank, long step, long age) {
    return underWay[rank] > 0 && underWay[rank] < window && step - sentStep[rank] >= age;
  }

  /** Sets what is sent in place of the parameters. */
  void sendInstead(float[] values) {
    instead = values;
    message.reset(Message.Kind.PARAMETERS, 0);
  }

  private boolean nothingUnderWay() {
    for (int rank = 1; rank <= workers; rank++) {
      if (underWay[rank] > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets what goes with parameters.
   *
   * @param limit seconds; 0 if the master sets none
   */
  void header(double rate, double limit) {
    learningRate = rate;
    timeLimit = limit;
  }

  /**
   * Sends the master's parameters, those of {@code step}, to every worker that is to have them.
   *
   * @return whom they were sent to
   */
  BitSet send(long step, IntPredicate whom) {
    addressed.clear();
    for (int rank = 1; rank <= workers; rank++) {
      addressed.set(rank, whom.test(rank));
    }
    if (addressed.cardinality() == workers) {
      communicator.broadcast(parameters(step), Clock.NEVER);
      for (int rank = 1; rank <= workers; rank++) {
        underWay[rank]++;
      }
      Arrays.fill(sentStep, step);
      Arrays.fill(sentTime, master.clock().now());
      return addressed;
    }
    message.release(); // Memory lent to send to all is of no use for some.
    for (int rank = addressed.nextSetBit(0); rank > 0; rank = addressed.nextSetBit(rank + 1)) {
      send(rank, step);
    }
    return addressed;
  }

  /** Sends the master's parameters, those of {@code step}, to an idle worker. */
  void send(int rank, long step) {
    communicator.send(rank, parameters(step), Clock.NEVER);
    underWay[rank]++;
    sentStep[rank] = step;
    sentTime[rank] = master.clock().now();
  }

  /** Lets an idle worker compute at the parameters that it has. */
  void again(int rank) {
    communicator.send(rank, again.reset(Message.Kind.AGAIN, sentStep[rank]), Clock.NEVER);
    underWay[rank]++;
    sentTime[rank] = master.clock().now();
  }

  /** Sends them to workers that never wait, and that do not have these. */
  void offer(long step) {
    offering = true;
    offered = step;
    for (int rank = 1; rank <= workers; rank++) {
      offer(rank);
    }
  }

  /** Rejects what needs workers that wait for parameters. */
  void expectNoOffer() {
    if (offering) {
      throw new IllegalStateException(
          "after offer(), expected gatherAny() or receiveAny(), found receive() or gather()");
    }
  }

  private void offer(int rank) {
    if (isIdle(rank) && sentStep[rank] != offered) {
      send(rank, offered);
    }
  }

  private Message parameters(long step) {
    if (message.loan() == null || message.step() != step) {
      float[] sent = instead == null ? master.parameters() : instead;
      message.reset(Message.Kind.PARAMETERS, step);
      message.exchange(sent, sent.length);
    }
    message.asParameters().set(learningRate, timeLimit);
    return message;
  }

  /**
   * Prepares to send the parameters of a step to all workers at once.
   *
   * @return where an update may write them, so that they need not be copied; null if nowhere
   */
  FloatBuffer prepare(long step) {
    message.reset(Message.Kind.PARAMETERS, step);
    boolean lent =
        !offering
            && instead == null
            && nothingUnderWay()
            && communicator.lend(Communicator.ANY, message, master.parameters().length);
    return lent ? message.payload() : null;
  }

  /** Notes whether what {@link #prepare} returned has been written to, all of it. */
  void prepared(boolean written) {
    if (!written) {
      message.release();
    }
  }

  /**
   * Waits for the next result; its worker is idle then.
   *
   * @param reports takes messages that are no results; null if none is expected
   * @return false if the deadline passed first, or if a worker that never waits has taken
   *     parameters that were under way to it
   */
  boolean receive(Message result, long deadline, Consumer<? super Message> reports) {
    while (communicator.receive(Communicator.ANY, result, deadline)) {
      if (result.kind() == Message.Kind.TAKEN && underWay[result.source()] > 0) {
        underWay[result.source()]--;
        if (offering) {
          offer(result.source());
          return false; // Sending took time, so that the caller looks at the clock first.
        }
      } else if (reports != null && !result.isResult()) {
        reports.accept(result);
      } else {
        accept(result);
        return true;
      }
    }
    return false;
  }

  /** Waits for the next result, as {@link #receive} does, however many notices come before it. */
  void await(Message result) {
    boolean come = false;
    while (!come) {
      come = receive(result, Clock.NEVER, null);
    }
  }

  private void accept(Message result) {
    int rank = result.source();
    expect(result, answer, master.parameters().length, offering || underWay[rank] > 0);
    if (!offering) {
      underWay[rank]--;
    }
  }

  /** Seconds since parameters were last sent to a worker. */
  double waitTime(int rank) {
    return Clock.seconds(sentTime[rank], master.clock().now());
  }

  /**
   * Tells every worker that training is over, and drops what is still under way. Workers that never
   * wait say when they have sent their last result.
   */
  void stop(MasterProgress progress) {
    communicator.broadcast(new Message().reset(Message.Kind.STOP, progress.step()), Clock.NEVER);
    if (offering) {
      Arrays.fill(underWay, 1); // The last word of each worker.
    }
    Message late = new Message();
    while (!nothingUnderWay()) {
      communicator.receive(Communicator.ANY, late, Clock.NEVER);
      if (!offering && late.kind() == Message.Kind.TAKEN) {
        underWay[late.source()]--;
      } else if (!offering || late.isResult()) {
        accept(late);
        progress.dropped(late);
      } else if (late.kind() == Message.Kind.STOP) {
        underWay[late.source()] = 0;
      }
    }
  }

  private static void expect(Message found, Message.Kind kind, int length, boolean owed) {
    boolean whole = found.length() == length || found.isReduced() && found.length() == 0;
    if (found.kind() != kind || !whole || !owed) {
      throw new MalformedMessageException(
          found.source(),
          "expected %s with %d values from a worker that owes one, found %s of step %d with %d"
              .formatted(kind, length, found.kind(), found.step(), found.length()));
    }
  }
}
