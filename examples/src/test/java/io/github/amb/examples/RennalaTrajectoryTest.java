package io.github.amb.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.Networks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scheme on the virtual cluster, beside a plain loop over the workers' next gradients. */
class RennalaTrajectoryTest {
  private static final int BATCH = 8;
  private static final int STEPS = 40;
  private static final double RATE = 0.05;
  private static final DataSet DATA = DataSets.load("logistic", null, 1);

  /** Seconds per example of the workers, of which no sum of batches equals another one. */
  private static final double[] SECONDS = {1 / 1.0, 1 / 0.71, 1 / 0.37};

  private final Streams streams = new Streams(1);
  private final GradientSource model = model();
  private final List<LogRecord> records = new ArrayList<>();
  private final List<Double> expectedTimes = new ArrayList<>();
  private float[] found;
  private int stale;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void itsTrajectoryIsThatOfAPlainLoop(int gradients) {
    CostModel costs = CostModel.perExample(1);
    new VirtualCluster(4, costs, costs.workTime(1, 1, 0.71, 0.37), 1)
        .run((link, clock) -> rank(scheme(gradients), link, clock));

    float[] expected = loop(gradients);

    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], rounding(gradients, expected[i]), "parameter " + i);
    }
    List<StepRecord> steps = all(StepRecord.class);
    for (int k = 0; k < STEPS; k++) {
      assertEquals(expectedTimes.get(k), steps.get(k).time(), 1e-6, "end of step " + k);
    }
    // Those under way at the end are dropped, too.
    assertEquals(stale + busyAtTheEnd(), all(DropRecord.class).size());
  }

  /**
   * A step adds the rounding of a sum of products, one per example, of features below 12, and of a
   * few operations on the parameter. The loss is convex, so that no step brings two runs apart.
   */
  private static double rounding(int gradients, double parameter) {
    double ofGradients = RATE * (gradients * BATCH + 8) * 12;
    double ofParameters = 8 * (1 + Math.abs(parameter));
    return STEPS * 2 * 0x1p-24 * (ofGradients + ofParameters);
  }

  private int busyAtTheEnd() {
    return SECONDS.length - 1;
  }

  private <T> List<T> all(Class<T> type) {
    return records.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The method as its authors state it, without messages: always the next worker to finish. */
  private float[] loop(int gradients) {
    int workers = SECONDS.length;
    float[] x = new float[model.layout().size()];
    model.initialize(1, x);
    ExampleOrder[] orders = new ExampleOrder[workers];
    Arrays.setAll(orders, i -> new ExampleOrder(streams, model.trainingExamples(), i, workers));
    float[][] computing = new float[workers][];
    double[] ends = new double[workers];
    int[] at = new int[workers];
    for (int i = 0; i < workers; i++) {
      computing[i] = gradient(x, orders[i]);
      ends[i] = BATCH * SECONDS[i];
    }
    for (int k = 0; k < STEPS; k++) {
      double[] sum = new double[x.length];
      int taken = 0;
      double now = 0;
      int last = -1;
      while (taken < gradients) {
        if (last >= 0) {
          computing[last] = gradient(x, orders[last]);
          at[last] = k;
        }
        last = next(ends);
        now = ends[last];
        ends[last] += BATCH * SECONDS[last];
        if (at[last] == k) {
          taken++;
          for (int i = 0; i < x.length; i++) {
            sum[i] += computing[last][i];
          }
        } else {
          stale++;
        }
      }
      for (int i = 0; i < x.length; i++) {
        x[i] -= (float) (RATE * sum[i] / (gradients * BATCH));
      }
      computing[last] = gradient(x, orders[last]);
      at[last] = k + 1;
      expectedTimes.add(now);
    }
    return x;
  }

  private static GradientSource model() {
    return Networks.open("logistic-regression", DATA);
  }

  private static int next(double[] ends) {
    int first = 0;
    for (int i = 1; i < ends.length; i++) {
      first = ends[i] < ends[first] ? i : first;
    }
    return first;
  }

  private float[] gradient(float[] x, ExampleOrder order) {
    int[] batch = new int[BATCH];
    order.peek(batch);
    order.advance(BATCH);
    float[] sum = new float[x.length];
    model.begin(x, 0);
    model.accumulate(batch, 0, BATCH);
    model.finish(sum);
    return sum;
  }

  private static Scheme scheme(int gradients) {
    return new RennalaSgd()
        .entries()
        .get(0)
        .create(new SchemeOptions(BATCH, 3).with(RennalaSgd.GRADIENTS, gradients));
  }

  private void rank(Scheme scheme, Communicator link, Clock clock) {
    var rule = UpdateRules.named("sgd").create(model.layout().size());
    MasterUpdate update = new MasterUpdate(model.layout(), rule, WeightDecay.NONE);
    if (link.rank() == Communicator.MASTER) {
      found = new float[model.layout().size()];
      model.initialize(1, found);
      scheme.runMaster(
          new MasterContext(
              clock,
              found,
              update,
              (step, epochs) -> RATE,
              StopRule.after(STEPS),
              model.trainingExamples(),
              streams,
              new BlockingEvaluator(model, clock, streams, STEPS, -1, (record, tested) -> {}),
              records::add, new StateRegistry()),
          link);
    } else {
      ExampleOrder order =
          new ExampleOrder(streams, model.trainingExamples(), link.rank() - 1, SECONDS.length);
      scheme.runWorker(
          new WorkerContext(
              link.rank(), clock, model(), order, DelayModel.NONE, streams, update, record -> {}, new StateRegistry(), NonFinite.HALT),
          link);
    }
  }
}
