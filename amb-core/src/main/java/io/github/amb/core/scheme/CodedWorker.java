package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.gradient.ExampleOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A worker that computes several batches per step and sends one combination of their sums, formed
 * in double precision and rounded once.
 */
final class CodedWorker {
  private final Communicator communicator;
  private final int batchSize;
  private final ExampleOrder[] orders;
  private final BatchComputation[] batches;
  private final double[] coefficients;
  private final ResultSender result;
  private final Frame parameters = new Frame();
  private FloatBuffer gradient = FloatBuffer.allocate(0);
  private double[] sum = {};

  CodedWorker(
      WorkerContext worker,
      Communicator communicator,
      BatchPolicy policy,
      GradientCode code,
      int stragglers) {
    this.communicator = communicator;
    result = new ResultSender(worker, communicator);
    batchSize = policy.batchSize();
    orders = new ExampleOrder[stragglers + 1];
    batches = new BatchComputation[stragglers + 1];
    coefficients = new double[stragglers + 1];
    int index = worker.rank() - 1;
    for (int k = 0; k <= stragglers; k++) {
      WorkerContext owner = worker.inPlaceOf(code.batch(index, k) + 1);
      orders[k] = owner.order();
      batches[k] = new BatchComputation(owner, policy);
      coefficients[k] = code.coefficient(index, k);
    }
  }

  void run() {
    result.ready();
    while (receiveParameters()) {
      float[] values = result.begin(Frame.Kind.GRADIENT, parameters.step(), parameters.length());
      Arrays.fill(sum, 0);
      for (int k = 0; k < batches.length; k++) {
        // A worker that was late has left out steps; batches go by the step all the same.
        orders[k].seek((parameters.step() - 1) * batchSize);
        // A worker's own batch is its first, and the only one with an induced delay.
        batches[k].run(parameters.payload(), parameters.step(), gradient, k == 0);
        add(coefficients[k]);
        result.add(batches[k], coefficients[k]);
      }
      for (int i = 0; i < sum.length; i++) {
        values[i] = (float) sum[i];
      }
      result.send();
    }
  }

  private boolean receiveParameters() {
    communicator.receive(Communicator.MASTER, parameters, Clock.NEVER);
    result.received();
    if (sum.length != parameters.length()) {
      sum = new double[parameters.length()];
      gradient = FloatBuffer.allocate(parameters.length());
    }
    return parameters.kind() == Frame.Kind.PARAMETERS;
  }

  private void add(double coefficient) {
    float[] addend = gradient.array();
    for (int i = 0; i < addend.length; i++) {
      sum[i] += coefficient * addend[i];
    }
  }
}
