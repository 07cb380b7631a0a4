package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * Ringleader ASGD: asynchronous SGD of optimal time where workers have different data. No gradient
 * is dropped, and none is older than 2n − 2 updates.
 *
 * <p>{@code w ← w − η 1/n Σ Gᵢ / bᵢ}, with the sum Gᵢ of worker i's gradients in this round. A
 * round collects until there is one of every worker, and then has n updates: one with the gradient
 * that completes it, and one with the next gradient of each other worker. The worker of an update
 * is sent the new w. The others compute again at what they have, and what comes of a worker that
 * has had its update counts for the next round. When a worker fails, the round begins again.
 *
 * <p>Maranjyan and Richtárik: "Ringleader ASGD: The First Asynchronous SGD with Optimal Time
 * Complexity under Data Heterogeneity", ICLR 2026.
 */
final class Ringleader extends Async {
  Ringleader(SchemeOptions options) {
    super(options);
  }

  @Override
  public void master(Master master) {
    Round round = new Round(master.context().update().layout(), master.workers());
    master.context().state().registerOfRounds("round", round);
    while (master.nextStep()) {
      master.broadcast(); // w to the worker of the last update; at first to all
      Result gradient = master.receiveAny(); // the next gᵢ
      while (!round.updatesWith(gradient)) {
        master.again(gradient.source());
        gradient = master.receiveAny();
      }
      master.update(round.current.mean()); // w ← w − η 1/n Σ Gᵢ / bᵢ
      round.updated();
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    worker.keepParameters(); // It may be told to compute again at the same w.
    super.worker(worker);
  }

  /** The gradients of this round and the next, and who has had its update. */
  private static final class Round implements Checkpointed {
    private final long[] done;
    private GradientTable current;
    private GradientTable next;

    Round(Layout layout, int workers) {
      current = new GradientTable(layout, workers);
      next = new GradientTable(layout, workers);
      done = new long[workers];
    }

    @Override
    public void visit(StateVisitor state) {
      current.visit(new NamedState("current-", state));
      next.visit(new NamedState("next-", state));
      state.integers("done", done);
    }

    /** Takes a gradient; whether an update follows. */
    boolean updatesWith(Result gradient) {
      int worker = gradient.source() - 1;
      if (done[worker] == 1) {
        next.add(gradient, false);
        return false;
      }
      current.add(gradient, false);
      done[worker] = current.isFull() ? 1 : 0;
      return current.isFull();
    }

    /** After the update of every worker, the next round begins. */
    void updated() {
      if (Arrays.stream(done).sum() == done.length) {
        GradientTable before = current;
        current = next;
        next = before;
        next.clear();
        Arrays.fill(done, 0);
      }
    }
  }
}
