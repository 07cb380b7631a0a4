package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.api.Training;
import io.github.amb.api.TrainingException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Generations that the same ranks form again and again. */
@Timeout(60)
class FruitlessGenerationsTest {
  /**
   * A scheme whose workers reject what the master sends.
   *
   * @param rejects whether, by the number of messages that came before
   */
  private record Rejecting(IntPredicate rejects, AtomicInteger received) implements Scheme {
    Rejecting(IntPredicate rejects) {
      this(rejects, new AtomicInteger());
    }

    @Override
    public BatchPolicy batchPolicy() {
      return BatchPolicy.fixed(1);
    }

    @Override
    public void master(Master master) {
      while (master.nextStep()) {
        master.broadcast();
        master.gather(master.workers());
        master.update();
        master.record();
      }
    }

    @Override
    public void worker(Worker worker) {
      while (worker.receive()) {
        if (rejects.test(received.getAndIncrement())) {
          throw new MalformedMessageException(0, "expected what the test rejects");
        }
        worker.computeBatch();
        worker.send();
      }
    }
  }

  private static Training.Builder run(Scheme scheme) {
    Training.Builder run = Training.builder().data("quadratic:d=9").scheme(scheme);
    run.option("update-rule", "sgd").option("learning-rate", 0.1).option("cost-per-example", 1);
    return run.option("workers", 1).option("last-step", 20);
  }

  @Test
  void theSixthWithoutAStepIsTheLast() {
    Rejecting scheme = new Rejecting(number -> number >= 3);

    Exception e = assertThrows(TrainingException.class, () -> run(scheme).run());
    assertTrue(e.getMessage().contains("malformed message from rank 0"), e.getMessage());

    int first = 3 + 1; // three steps, and the rejected message that ends the first generation
    assertEquals(first + 6, scheme.received().get());
  }

  /** Of six messages, five are rejected. */
  @Test
  void aStepBetweenThemBeginsTheCountAgain() {
    List<StepRecord> steps = run(new Rejecting(number -> number % 6 != 0)).run().steps();

    assertEquals(20, steps.size());
  }
}
