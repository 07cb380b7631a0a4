package io.github.amb.core.scheme.context;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import java.util.function.Consumer;

/**
 * What a worker works with.
 *
 * @param rank this worker's rank, from 1
 * @param clock the engine's clock
 * @param source model and training examples
 * @param order the order in which this worker takes them
 * @param delays distribution of induced delays
 * @param streams the run's random streams
 * @param update this worker's own update rule, for schemes whose workers update locally
 * @param log receives one record per step, as the worker sees it
 * @param state what the worker remembers between steps
 * @param nonFinite what becomes of gradients that it applies itself
 */
public record WorkerContext(
    int rank,
    Clock clock,
    GradientSource source,
    ExampleOrder order,
    DelayModel delays,
    Streams streams,
    MasterUpdate update,
    Consumer<? super WorkerRecord> log,
    StateRegistry state,
    NonFinite nonFinite) {
  /** This worker doing another one's work: that one's examples and random draws. */
  WorkerContext inPlaceOf(int other) {
    return new WorkerContext(
        other, clock, source, order.of(other - 1), delays, streams, update, log, state, nonFinite);
  }

  /** The same worker, whose records go to {@code other}, too. */
  public WorkerContext alsoLoggedBy(Consumer<? super WorkerRecord> other) {
    Consumer<WorkerRecord> both =
        step -> {
          log.accept(step);
          other.accept(step);
        };
    return new WorkerContext(
        rank, clock, source, order, delays, streams, update, both, state, nonFinite);
  }
}
