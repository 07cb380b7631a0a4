package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.update.NonFiniteGradientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes on an engine that sums gradients on their way to the master. */
class ReducedGradientsTest {
  private static final int WORKERS = 3;

  /** A number of messages that schemes leave alone. */
  private static final int REDUCED = 11;

  private static final long NEVER = -1;

  private int sums;
  private long poisonedStep = NEVER;

  /** Sums the messages of a step when the last of them comes to the master. */
  private final class Summing extends ForwardingCommunicator {
    private final float[][] addends = new float[WORKERS][];
    private int suspect;
    private int come;

    Summing(Communicator engine) {
      super(engine);
    }

    @Override
    public boolean reduces(int length) {
      return true;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      if (message.isReduced()) {
        message.stat(REDUCED, 1);
        if (message.step() == poisonedStep && rank() == 2) {
          message.values()[5] = Float.NaN;
          message.nonFiniteFrom(2);
        }
      }
      super.send(to, message, deadline);
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      boolean received = super.receive(from, into, deadline);
      if (received && into.stat(REDUCED) != 0) {
        into.stat(REDUCED, 0);
        add(into.reduce());
      }
      return received;
    }

    private void add(Message message) {
      int length = message.length();
      addends[message.source() - 1] = message.values().clone();
      suspect = Math.max(suspect, message.nonFiniteFrom());
      message.ensureCapacity(0);
      come++;
      if (come % WORKERS == 0) {
        float[] sum = message.ensureCapacity(length);
        for (int i = 0; i < length; i++) {
          sum[i] = (addends[0][i] + addends[1][i]) + addends[2][i];
        }
        message.nonFiniteFrom(suspect);
        sums++;
      }
    }
  }

  private static TrainingRun.Plan plan(String scheme) {
    SchemeOptions options = new SchemeOptions(16, WORKERS);
    switch (scheme) {
      case "amb", "amb-accuracy" ->
          options =
              options
                  .with(
                      AnytimeOptions.TIME_LIMIT,
                      scheme.equals("amb") ? 0.01 : AnytimeOptions.AUTO_ACCURACY)
                  .with(AnytimeOptions.NUM_PARTITIONS, 4);
      case "k-sync" -> options = options.with(KSync.NUM_AGGREGATE, WORKERS);
      default -> {
        // No options.
      }
    }
    return TrainingRun.plan(Schemes.named(scheme.split("-a")[0]).create(options), WORKERS)
        .costs(CostModel.perExample(0.001))
        .speeds(1, 3, 2)
        .steps(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "amb"})
  void theSumGivesTheBitsOfItsParts(String scheme) {
    TrainingRun summed = plan(scheme).links(Summing::new).run();
    assertEquals(10, sums);
    TrainingRun apart = plan(scheme).run();
    assertArrayEquals(apart.parameters, summed.parameters);
    assertEquals(apart.steps(), summed.steps());
    assertEquals(apart.workers(), summed.workers());
    assertEquals(apart.collections(), summed.collections());
  }

  @ParameterizedTest
  @ValueSource(strings = {"k-sync", "async", "dcasgd", "amb-accuracy"})
  void schemesThatNeedEachGradientLetNothingBeSummed(String scheme) {
    plan(scheme).links(Summing::new).run();
    assertEquals(0, sums);
  }

  @Test
  void aSumThatIsNotFiniteNamesItsWorker() {
    poisonedStep = 4;
    TrainingRun.Plan plan = plan("fmb").links(Summing::new);
    NonFiniteGradientException rejected = assertThrows(NonFiniteGradientException.class, plan::run);
    assertTrue(rejected.getMessage().contains("rank 2"), rejected.getMessage());
    assertEquals(4, sums);
  }
}
