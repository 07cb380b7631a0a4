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
import io.github.amb.core.update.DivergedException;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.launch.StopRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The master's part of a run, from its start or the resumed checkpoint to the last checkpoint. Each
 * generation of ranks continues after the last completed step of the generation before.
 *
 * @param context what the scheme works with
 * @param last the last completed step
 * @param checkpoints empty if none are kept
 * @param log the run's log, which names workers by their numbers in the run
 * @param host admits the workers of a generation
 * @param stops makes the request by which the run is stopped
 * @param learns whether gradients are computed
 */
record MasterTraining(
    MasterContext context,
    LastStep last,
    Optional<RunCheckpoints> checkpoints,
    MemberLog log,
    RankEnvironment host,
    Supplier<StopRequest> stops,
    boolean learns)
    implements AutoCloseable {
  private static final double STATES_SECONDS = 5;

  /**
   * Generations in a row of the same ranks without a completed step, before the master gives up.
   */
  private static final int FRUITLESS = 5;

  /** Registers {@code records} to be written before each checkpoint. */
  void recordsFirst(Runnable records) {
    checkpoints.ifPresent(kept -> kept.writeAfter(records));
  }

  /**
   * Trains from the start, or the resumed checkpoint, to the end.
   *
   * @param resumed the resumed checkpoint; null for a new run
   * @param workers number of workers at the start
   * @param training the scheme's part in one generation: trains until training is over or the
   *     generation ends with a {@link LostException}
   */
  void train(
      Membership membership, ResumePoint resumed, int workers, Consumer<Communicator> training) {
    resume(resumed, workers);
    last.whenOver(membership::trainingOver);
    last.afterStep(
        () -> {
          if (membership.changes()) {
            throw new LostException("a worker joins or leaves");
          }
        });
    stoppably(
        stop -> {
          Membership.Generation generation = membership.first();
          long step = last.step();
          int fruitless = 0;
          LostException loss = trained(generation, resumed, membership, training, stop);
          while (loss != null) {
            stop.saved(true);
            int[] before = generation.members();
            generation = recover(membership, loss);
            stop.saved(false);
            boolean same = last.step() == step && Arrays.equals(before, generation.members());
            fruitless = same ? fruitless + 1 : 0;
            if (fruitless > FRUITLESS) {
              throw new LostException(
                  "no step in %d generations of the same ranks: %s"
                      .formatted(fruitless, loss.getMessage()),
                  loss);
            }
            step = last.step();
            loss = trained(generation, places(generation), membership, training, stop);
          }
        });
  }

  /** Trains until the end or a request to stop, then waits for tests and the last checkpoint. */
  private void stoppably(Consumer<StopRequest> training) {
    try (StopRequest stop = stops.get()) {
      last.stopWhen(stop::isRequested);
      checkpoints.ifPresent(kept -> kept.whenWaiting(stop::saving));
      try {
        training.accept(stop);
      } finally {
        context.evaluator().close();
      }
      stop.saving(true);
      long deadline = context.clock().now() + Clock.nanos(STATES_SECONDS);
      checkpoints.ifPresent(kept -> kept.finish(deadline));
    }
  }

  /**
   * Workers may lack what the master believes that they have, and state per worker may be that of
   * fewer, as after any change of the members.
   */
  private void resume(ResumePoint resumed, int workers) {
    if (resumed != null && resumed.isWhole(workers)) {
      context.state().restoreFrom(resumed.master());
    } else if (resumed != null) {
      context.state().restoreFitting(resumed.master());
    }
    last.start(resumed, workers);
    checkpoints.ifPresent(RunCheckpoints::start);
  }

  /**
   * Trains in one generation; returns the failure that ended it, or null if training is complete.
   */
  private LostException trained(
      Membership.Generation generation,
      ResumePoint states,
      Membership membership,
      Consumer<Communicator> training,
      StopRequest stop) {
    log.members(generation.members());
    checkpoints.ifPresent(RunCheckpoints::entered);
    try {
      Communicator link = last.collecting(generation.communicator(), generation.members());
      host.admit(generation, states);
      membership.training();
      try {
        training.accept(link);
      } finally {
        log.discard();
      }
      return null;
    } catch (MalformedMessageException e) {
      save(stop);
      return e.as(generation.members()[e.source()]);
    } catch (LostException e) {
      save(stop);
      return e;
    } catch (EngineException | DivergedException | NonFiniteParametersException e) {
      throw saved(e, rank -> generation.members()[rank], stop);
    }
  }

  /**
   * Saves the last step after a failure, and returns the failure with its place. Parameters that
   * the master's own update made non-finite are not worth a checkpoint; parameters before a
   * worker's non-finite ones are.
   *
   * @param members number in the run by rank in the generation
   */
  private RuntimeException saved(
      RuntimeException failure, IntUnaryOperator members, StopRequest stop) {
    if (failure instanceof NonFiniteParametersException bad) {
      if (bad.isPlaced()) {
        save(stop);
      }
      return bad.at(Communicator.MASTER, last.step() + 1);
    }
    save(stop);
    return failure instanceof NonFiniteGradientException bad
        ? bad.at(members.applyAsInt(bad.rank()), last.step() + 1)
        : failure;
  }

  private void save(StopRequest stop) {
    stop.saving(true);
    checkpoints.ifPresent(RunCheckpoints::save);
  }

  private Membership.Generation recover(Membership membership, LostException loss) {
    long discarded = last.discarded();
    Membership.Generation generation = membership.next(loss);
    last.restore();
    List<Integer> workers = Arrays.stream(generation.members()).skip(1).boxed().toList();
    if (!workers.isEmpty() || !last.isOver()) { // Workers that have finished are not lost.
      log.accept(
          new MembershipRecord(
              last.time(),
              last.step(),
              generation.number(),
              workers,
              generation.reason().isEmpty() ? loss.getMessage() : generation.reason(),
              discarded));
    }
    return generation;
  }

  private ResumePoint places(Membership.Generation generation) {
    SortedMap<Integer, StateMap> states = new TreeMap<>();
    for (int rank = 1; learns && rank < generation.members().length; rank++) {
      states.put(rank, last.place(generation.members()[rank]));
    }
    return new ResumePoint(last.step(), last.time(), new StateMap(), states);
  }

  /**
   * Restores a run in one process, before its parts are made.
   *
   * @param resumed the resumed checkpoint; null for a new run
   * @param worker state of the single worker; modified
   */
  void resumeLocally(ResumePoint resumed, StateRegistry worker) {
    resume(resumed, 0);
    checkpoints.ifPresent(kept -> kept.local(worker));
    if (resumed != null) {
      worker.restoreFrom(resumed.worker(1));
    }
  }

  /** Trains in one process, without messages. */
  void trainLocally(Runnable training) {
    stoppably(
        stop -> {
          try {
            training.run();
          } catch (EngineException | DivergedException | NonFiniteParametersException e) {
            throw saved(e, rank -> rank, stop);
          }
        });
  }

  /** Ends the threads that test and save. */
  @Override
  public void close() {
    context.evaluator().close();
    checkpoints.ifPresent(RunCheckpoints::close);
  }
}
