package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Estimate;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The verbs of a node that computes at parameters of its own, and agrees with its neighbors on a
 * dual vector z, the sum of mean gradients: {@code w = w₀ − η z}, dual averaging.
 *
 * <p>An estimate u with a weight s stands for the pair (s u, s), of which consensus forms weighted
 * means. So the vectors that are sent have the magnitude of z, whatever the number of examples is.
 */
public final class GraphNode implements Checkpointed {
  /** Vectors with which a new node begins: its parameters, w₀ and z. */
  static final int VECTORS = 3;

  private final WorkerContext worker;
  private final Communicator communicator;
  private final BatchComputation batch;
  private final ResultSender result;
  private final Layout layout;
  private final int size;
  private final int rank;
  private final double[] weights; // by rank; 0 for ranks that are no neighbors
  private final int[] neighbors;
  private final Message[] now; // the estimates of a round, by rank
  private final Message[] early;
  private final Message estimate = new Message();
  private Message inbox = new Message();
  private final float[] local;
  private final float[] center;
  private final float[] dual;
  private final float[] shown;
  private float[] own;
  private float[] mixed;
  private float[] change = {};
  private double weight;
  private boolean ready;
  private boolean started;
  private long epoch;
  private double rate;
  private boolean whole;
  private long deadline;

  GraphNode(
      WorkerContext worker,
      Communicator communicator,
      BatchComputation batch,
      ResultSender result,
      Graph graph) {
    this.worker = worker;
    this.communicator = communicator;
    this.batch = batch;
    this.result = result;
    layout = worker.source().layout();
    size = layout.size();
    rank = communicator.rank();
    Graph left = graph.keeping(Observer.nodes(communicator));
    neighbors = Arrays.stream(left.neighbors(rank - 1)).map(node -> node + 1).toArray();
    weights = new double[communicator.size()];
    now = new Message[communicator.size()];
    early = new Message[communicator.size()];
    weights[rank] = left.weight(rank - 1, rank - 1);
    for (int other : neighbors) {
      weights[other] = left.weight(rank - 1, other - 1);
      now[other] = new Message();
      early[other] = new Message();
    }
    local = new float[size];
    center = new float[size];
    dual = new float[size];
    shown = new float[size];
    own = new float[size];
    mixed = new float[size];
    batch.interruptible(this::waitUntilDeadline);
    worker.state().register("node", this);
  }

  @Override
  public void visit(StateVisitor state) {
    started = state.integer("started", started ? 1 : 0) == 1;
    state.floats("parameters", local);
    state.floats("center", center);
    state.floats("dual", dual);
    state.floats("shown", shown);
  }

  /** The factor of z in the parameters of a block; running statistics are summed up. */
  static double step(Block block, double rate) {
    return block.kind() == Block.Kind.RUNNING_STATISTIC ? 1 : rate;
  }

  /**
   * Waits until the next epoch begins. The first call says that this node is ready.
   *
   * @return false if training is over
   */
  public boolean receive() {
    if (!ready) {
      ready = true;
      result.ready();
    }
    worker.state().roundBegins();
    communicator.receive(Communicator.ANY, inbox, Clock.NEVER);
    while (inbox.source() != Communicator.MASTER) {
      take(Long.MAX_VALUE, epoch * Estimate.MAX_ROUNDS + Estimate.MAX_ROUNDS);
      communicator.receive(Communicator.ANY, inbox, Clock.NEVER);
    }
    boolean begins = inbox.kind() == Message.Kind.PARAMETERS;
    if (begins) {
      begin();
    }
    inbox.release();
    result.received();
    return begins;
  }

  private void begin() {
    epoch = inbox.step();
    rate = inbox.asParameters().learningRate();
    if (inbox.length() == 0) {
      return;
    }
    if (inbox.length() != VECTORS * size) {
      throw malformed(VECTORS * size + " values or none");
    }
    inbox.payload().get(0, shown);
    if (!started) {
      started = true;
      inbox.payload().get(0, local);
      inbox.payload().get(size, center);
      inbox.payload().get(2 * size, dual);
    }
  }

  /**
   * Computes gradients at this node's parameters for a time, at least one partition. What is under
   * way then is abandoned: at once on the virtual cluster, after the partition else.
   *
   * @param nanos from now on, an induced delay included; {@link Clock#NEVER} for the whole batch
   */
  public void compute(long nanos) {
    change = result.begin(Message.Kind.DELTA, epoch, size);
    whole = true;
    deadline = nanos == Clock.NEVER ? Clock.NEVER : worker.clock().now() + nanos;
    batch.begin(FloatBuffer.wrap(local), epoch, FloatBuffer.wrap(own), true, nanos);
    batch.computePartition();
    whole = false;
    while (batch.hasTime()) {
      batch.computePartition();
    }
    batch.end();
    weight = isFinite() ? batch.examples() : 0;
    if (weight > 0) {
      result.add(batch, 1);
      for (int i = 0; i < size; i++) {
        own[i] /= (float) weight;
      }
      worker.update().decay(local, own, rate);
    } else {
      Arrays.fill(own, 0);
    }
    for (int i = 0; i < size; i++) {
      own[i] += dual[i];
    }
  }

  /** Waits for the time of a partition; returns false at the deadline if that comes first. */
  private boolean waitUntilDeadline(long nanos) {
    long left = deadline == Clock.NEVER ? Clock.NEVER : deadline - worker.clock().now();
    worker.clock().sleep(whole ? nanos : Math.min(nanos, left));
    return whole || nanos <= left;
  }

  private boolean isFinite() {
    int bad = Finite.firstBad(own, 0, size);
    if (bad < 0) {
      return true;
    }
    Block block = layout.blockAt(bad);
    var found =
        new NonFiniteGradientException(worker.rank(), block.name(), bad - block.offset(), own[bad]);
    if (batch.leftOut(epoch, found.found())) {
      return false;
    }
    throw found.of(batch.firstExample(), batch.examples()).at(worker.rank(), epoch);
  }

  /**
   * Agrees with the neighbors: each round replaces the estimate by the weighted mean of theirs and
   * its own.
   *
   * @param rounds most rounds
   * @param nanos limit of the time from now on; a round that is not complete then does not count
   * @param perExample whether estimates weigh per example; else all nodes with examples alike
   */
  public void agree(int rounds, long nanos, boolean perExample) {
    weight = perExample ? weight : Math.min(1, weight);
    long end = nanos == Clock.NEVER ? Clock.NEVER : worker.clock().now() + nanos;
    int round = 0;
    while (round < rounds && exchange(round, end)) {
      mix();
      round++;
    }
    System.arraycopy(own, 0, dual, 0, size);
  }

  private boolean exchange(int round, long end) {
    long key = epoch * Estimate.MAX_ROUNDS + round;
    for (int other : neighbors) {
      estimate.reset(Message.Kind.ESTIMATE, epoch).asEstimate().set(round, weight);
      estimate.exchange(own, size);
      communicator.send(other, estimate, Clock.NEVER);
    }
    int missing = neighbors.length;
    for (int other : neighbors) {
      Message before = now[other];
      before.release();
      if (key(early[other]) == key) {
        now[other] = early[other];
        early[other] = before.reset(Message.Kind.READY, 0);
        missing--;
      }
    }
    while (missing > 0 && communicator.receive(Communicator.ANY, inbox, end)) {
      missing -= take(key, key) ? 1 : 0;
    }
    return missing == 0;
  }

  private static long key(Message estimate) {
    return estimate.kind() == Message.Kind.ESTIMATE
        ? estimate.step() * Estimate.MAX_ROUNDS + estimate.asEstimate().round()
        : -1;
  }

  /**
   * Takes an estimate of this round, keeps a later one, and drops an earlier one. A neighbor is one
   * round ahead at most, as it needs this node's estimate.
   *
   * @return whether it was of this round
   */
  private boolean take(long wanted, long least) {
    int source = inbox.source();
    if (weights[source] == 0 || key(inbox) < 0 || inbox.length() != size) {
      throw malformed("%s with %d values of a neighbor".formatted(Message.Kind.ESTIMATE, size));
    }
    boolean taken = key(inbox) == wanted;
    if (key(inbox) >= least) {
      Message[] places = taken ? now : early;
      Message before = places[source];
      places[source] = inbox;
      inbox = before;
    }
    inbox.release();
    return taken;
  }

  private MalformedMessageException malformed(String expected) {
    return new MalformedMessageException(
        inbox.source(),
        "expected %s, found %s of step %d with %d"
            .formatted(expected, inbox.kind(), inbox.step(), inbox.length()));
  }

  private void mix() {
    double sum = weights[rank] * weight;
    for (int other : neighbors) {
      sum += weights[other] * now[other].asEstimate().weight();
    }
    if (!(sum > 0)) {
      return; // Nobody near has an example.
    }
    float factor = (float) (weights[rank] * weight / sum);
    for (int i = 0; i < size; i++) {
      mixed[i] = factor * own[i];
    }
    for (int other : neighbors) {
      factor = (float) (weights[other] * now[other].asEstimate().weight() / sum);
      FloatBuffer theirs = now[other].payload();
      for (int i = 0; i < size; i++) {
        mixed[i] += factor * theirs.get(i);
      }
    }
    weight = sum;
    float[] swap = own;
    own = mixed;
    mixed = swap;
  }

  /** Updates the parameters: {@code w ← w₀ − η z}. */
  public void update() {
    for (Block block : layout.blocks()) {
      float step = (float) step(block, rate);
      for (int i = block.offset(); i < block.end(); i++) {
        local[i] = center[i] - step * dual[i];
      }
    }
    worker.clock().charge(Work.UPDATE, size);
    NonFiniteParametersException.expectFinite(layout, local, worker.rank(), epoch);
  }

  /** Sends the change of the parameters since the observer has heard of them. */
  public void send() {
    for (int i = 0; i < size; i++) {
      change[i] = shown[i] - local[i];
    }
    System.arraycopy(local, 0, shown, 0, size);
    result.send();
  }
}
