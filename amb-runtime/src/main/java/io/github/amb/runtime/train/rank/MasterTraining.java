package io.github.amb.runtime.train.rank;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.master.DivergedException;
import io.github.amb.core.update.master.NonFiniteGradientException;
import io.github.amb.core.update.master.NonFiniteParametersException;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.checkpoint.state.LastStep;
import io.github.amb.runtime.checkpoint.state.ResumePoint;
import io.github.amb.runtime.launch.process.StopRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The master's part of a run, from its start or the resumed checkpoint to the last checkpoint. Each
 * generation of ranks continues after the last completed step of the generation before.
 *
 * @param context what the scheme works with
 * @param last the last completed step
 * @param checkpoints null if none are kept
 * @param log the run's log, which names workers by their numbers in the run
 * @param stops makes the request by which the run is stopped
 * @param learns whether gradients are computed
 */
record MasterTraining(
    MasterContext context,
    LastStep last,
    RunCheckpoints checkpoints,
    MemberLog log,
    Supplier<StopRequest> stops,
    boolean learns) {
  private static final double STATES_SECONDS = 5;

  /** The scheme's part in one generation. */
  interface GenerationTraining {
    /** Trains until training is over or the generation ends with a {@link LostException}. */
    void run(Communicator communicator) throws IOException;
  }

  /** Sends the workers of a generation their state. */
  interface Admission {
    /** Sends each worker its state, by its rank in the generation. */
    void admit(Membership.Generation generation, ResumePoint states) throws IOException;
  }

  /** Registers {@code records} to be written before each checkpoint. */
  void recordsFirst(Runnable records) {
    if (checkpoints != null) {
      checkpoints.writeAfter(records);
    }
  }

  /**
   * Trains from the start, or the resumed checkpoint, to the end.
   *
   * @param resumed the resumed checkpoint; null for a new run
   * @param workers number of workers at the start
   */
  void train(
      Membership membership,
      ResumePoint resumed,
      int workers,
      Admission admission,
      GenerationTraining training)
      throws IOException {
    resume(resumed, workers);
    try (StopRequest stop = stops.get()) {
      watch(membership, stop);
      trainInGenerations(membership, resumed, admission, training, stop);
      stop.saving(true);
      finish();
    }
  }

  private void trainInGenerations(
      Membership membership,
      ResumePoint resumed,
      Admission admission,
      GenerationTraining training,
      StopRequest stop)
      throws IOException {
    try {
      Membership.Generation generation = membership.first();
      ResumePoint states = resumed;
      LostException loss = trained(generation, states, membership, admission, training, stop);
      while (loss != null) {
        stop.saved(true);
        generation = recover(membership, loss);
        stop.saved(false);
        states = places(generation);
        loss = trained(generation, states, membership, admission, training, stop);
      }
    } finally {
      context.evaluator().close();
    }
  }

  private void resume(ResumePoint resumed, int workers) {
    if (resumed != null) {
      context.state().restoreFrom(resumed.master());
    }
    last.start(resumed, workers);
    if (checkpoints != null) {
      checkpoints.start();
    }
  }

  private void watch(Membership membership, StopRequest stop) {
    stopWith(stop);
    last.whenOver(membership::trainingOver);
    last.afterStep(
        () -> {
          membership.progress();
          if (membership.changes()) {
            throw new LostException("a worker joins");
          }
        });
  }

  private void stopWith(StopRequest stop) {
    last.stopWhen(stop::isRequested);
    if (checkpoints != null) {
      checkpoints.whenWaiting(stop::saving);
    }
  }

  /**
   * Trains in one generation; returns the failure that ended it, or null if training is complete.
   */
  private LostException trained(
      Membership.Generation generation,
      ResumePoint states,
      Membership membership,
      Admission admission,
      GenerationTraining training,
      StopRequest stop)
      throws IOException {
    log.members(generation.members());
    if (checkpoints != null) {
      checkpoints.entered();
    }
    try {
      Communicator link = last.collecting(generation.communicator(), generation.members());
      admission.admit(generation, states);
      membership.training();
      training.run(link);
      return null;
    } catch (MalformedMessageException e) {
      save(stop);
      return e.as(generation.members()[e.source()]);
    } catch (LostException e) {
      save(stop);
      return e;
    } catch (NonFiniteGradientException e) {
      save(stop);
      throw e.at(generation.members()[e.rank()], last.step() + 1);
    } catch (NonFiniteParametersException e) {
      throw spoiled(e, stop);
    } catch (EngineException | DivergedException e) {
      save(stop);
      throw e;
    }
  }

  /**
   * Decides whether to save: parameters that the master's own update made non-finite are not worth
   * a checkpoint; parameters before a worker's non-finite ones are.
   */
  private NonFiniteParametersException spoiled(NonFiniteParametersException e, StopRequest stop) {
    if (e.isPlaced()) {
      save(stop);
    }
    return e.at(Communicator.MASTER, last.step() + 1);
  }

  private void save(StopRequest stop) {
    stop.saving(true);
    if (checkpoints != null) {
      checkpoints.save();
    }
  }

  private Membership.Generation recover(Membership membership, LostException loss) {
    long discarded = last.discarded();
    Membership.Generation generation = membership.next(loss);
    last.restore();
    log.accept(
        new MembershipRecord(
            last.time(),
            last.step(),
            generation.number(),
            Arrays.stream(generation.members()).skip(1).boxed().toList(),
            loss.getMessage(),
            discarded));
    return generation;
  }

  private ResumePoint places(Membership.Generation generation) {
    SortedMap<Integer, StateMap> states = new TreeMap<>();
    for (int rank = 1; learns && rank < generation.members().length; rank++) {
      states.put(rank, last.place(generation.members()[rank]));
    }
    return new ResumePoint(last.step(), last.time(), new StateMap(), states);
  }

  private void finish() {
    if (checkpoints != null) {
      checkpoints.finish(context.clock().now() + Clock.nanos(STATES_SECONDS));
      checkpoints.close();
    }
  }

  /**
   * Restores a run in one process, before its parts are made.
   *
   * @param resumed the resumed checkpoint; null for a new run
   * @param worker state of the single worker; modified
   */
  void resumeLocally(ResumePoint resumed, StateRegistry worker) {
    resume(resumed, 0);
    if (checkpoints != null) {
      checkpoints.local(worker);
    }
    if (resumed != null) {
      worker.restoreFrom(resumed.worker(1));
    }
  }

  /** Trains in one process, without messages. */
  void trainLocally(Runnable training) {
    try (StopRequest stop = stops.get()) {
      stopWith(stop);
      runLocally(training, stop);
      stop.saving(true);
      finish();
    }
  }

  private void runLocally(Runnable training, StopRequest stop) {
    try {
      training.run();
    } catch (NonFiniteGradientException e) {
      save(stop);
      throw e.at(e.rank(), last.step() + 1);
    } catch (NonFiniteParametersException e) {
      throw spoiled(e, stop);
    } catch (EngineException | DivergedException e) {
      save(stop);
      throw e;
    } finally {
      context.evaluator().close();
    }
  }
}
