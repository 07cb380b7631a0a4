package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.schedule.Schedule;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import java.util.function.Consumer;

/**
 * What a master works with.
 *
 * @param clock the engine's clock
 * @param parameters the flat vector, initial values; modified by training
 * @param update the update rule on this layout
 * @param schedule the learning rate
 * @param stop when training is over
 * @param trainingExamples size of the training set, the unit of epochs
 * @param streams the run's random streams
 * @param evaluator evaluates snapshots
 * @param log receives every record
 * @param state what the master remembers between steps
 */
public record MasterContext(
    Clock clock,
    float[] parameters,
    MasterUpdate update,
    Schedule schedule,
    StopRule stop,
    int trainingExamples,
    Streams streams,
    Evaluator evaluator,
    Consumer<? super LogRecord> log,
    StateRegistry state) {}
