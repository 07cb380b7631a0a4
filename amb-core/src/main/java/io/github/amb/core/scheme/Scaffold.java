package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.Sgd;
import java.util.Arrays;
import java.util.BitSet;

/**
 * SCAFFOLD: {@code fedavg} whose workers correct their gradients by how far their data differ from
 * everyone's: {@code wᵢ ← wᵢ − η (gᵢ(wᵢ) − cᵢ + c)}, then {@code cᵢ ← cᵢ − c + Δᵢ/(K η)} and {@code
 * c = 1/n Σ cᵢ}, after K local steps of the rule sgd. In the first round cᵢ = 0, and it is {@code
 * fedavg}.
 *
 * <p>The master keeps the cᵢ, n vectors: it knows the Δᵢ. It sends c − cᵢ before w, so that
 * messages to workers are twice as long, those from them as short as in {@code fedavg}, and Σ (c −
 * cᵢ) = 0 whatever the codec.
 *
 * <p>When a worker dies, all cᵢ begin again at 0.
 *
 * <p>Karimireddy et al.: "SCAFFOLD: Stochastic Controlled Averaging for Federated Learning", ICML
 * 2020, option II.
 */
final class Scaffold extends FedAvg {
  Scaffold(SchemeOptions options) {
    super(options, 0, Uplink.CORRECTING_CHANGES);
  }

  @Override
  public void master(Master master) {
    int size = master.context().parameters().length;
    Variates variates = new Variates(master.workers(), size);
    master.context().state().register("variates", variates);
    OuterUpdate outer = new OuterUpdate(master, new Sgd(), learningRate);
    Message shift = new Message();
    while (master.nextStep()) {
      BitSet chosen = chosen(master);
      for (int rank = chosen.nextSetBit(0); rank > 0; rank = chosen.nextSetBit(rank + 1)) {
        variates.shift(rank, shift.reset(Message.Kind.SHIFT, master.step()));
        master.communicator().send(rank, shift, Clock.NEVER); // c − cᵢ
      }
      master.broadcast(chosen::get); // w to those that are drawn
      Gathering changes = master.gather(chosen.cardinality()); // Δᵢ of each
      variates.learn(changes, master.learningRate()); // cᵢ ← cᵢ − c + Δᵢ/(K η)
      outer.update(); // w ← w − mean(Δ)
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    float[] shift = new float[worker.context().source().layout().size()];
    LocalModel local = worker.localModel();
    local.shift(shift);
    LocalSgd.train(
        worker,
        local,
        order -> System.arraycopy(order.values(), 0, shift, 0, order.length()),
        () -> localSteps(worker));
  }

  /** The control variates cᵢ of the workers and their mean c. */
  private static final class Variates implements Checkpointed {
    private final float[][] own;
    private final float[] mean;

    Variates(int workers, int size) {
      own = new float[workers][size];
      mean = new float[size];
    }

    /** Writes c − cᵢ to a message. */
    void shift(int rank, Message message) {
      float[] values = message.ensureCapacity(mean.length);
      for (int i = 0; i < mean.length; i++) {
        values[i] = mean[i] - own[rank - 1][i];
      }
    }

    void learn(Gathering changes, double rate) {
      for (int k = 0; k < changes.contributors(); k++) {
        Result change = changes.result(k);
        if (change.examples() > 0 && rate > 0) {
          float scale = (float) (1 / (rate * change.localSteps()));
          float[] values = change.message().values();
          float[] variate = own[change.source() - 1];
          for (int i = 0; i < mean.length; i++) {
            variate[i] += scale * values[i] - mean[i];
          }
        }
      }
      for (int i = 0; i < mean.length; i++) {
        double sum = 0;
        for (float[] variate : own) {
          sum += variate[i];
        }
        mean[i] = (float) (sum / own.length);
      }
    }

    @Override
    public void visit(StateVisitor state) {
      for (int worker = 0; worker < own.length; worker++) {
        state.floats("worker-" + worker, own[worker]);
      }
      state.floats("mean", mean);
    }

    /** Ranks may be those of other workers now. */
    @Override
    public void enteredGeneration() {
      for (float[] variate : own) {
        Arrays.fill(variate, 0);
      }
      Arrays.fill(mean, 0);
    }
  }
}
