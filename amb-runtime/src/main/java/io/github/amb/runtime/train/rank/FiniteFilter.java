package io.github.amb.runtime.train.rank;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.update.NonFiniteGradientException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A rank's communicator under {@code --non-finite drop}. A result with an entry or a loss that is
 * infinite or not a number becomes an empty result. The master filters what it receives. A worker
 * with a codec filters before it encodes, as codecs reject such values, and what the codec rejects.
 */
public final class FiniteFilter extends ForwardingCommunicator {
  private final Layout layout;
  private final int coded;
  private final NonFinite dropped;

  /**
   * @param communicator the wrapped one, with the codec, if there is one
   * @param layout layout of the results' vectors
   * @param coded this worker's number in the run if its results are encoded, otherwise 0
   * @param dropped decides about, and logs, each non-finite result
   */
  public FiniteFilter(Communicator communicator, Layout layout, int coded, NonFinite dropped) {
    super(communicator);
    this.coded = coded;
    this.layout = layout;
    this.dropped = dropped;
  }

  /** Always false: results are filtered one by one. */
  @Override
  public boolean reduces(int length) {
    return false;
  }

  @Override
  protected boolean received(Message message) {
    if (message.isResult()) {
      check(message, message.source());
    }
    return true;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    if (coded == 0 || !message.isResult()) {
      super.send(to, message, deadline);
      return;
    }
    check(message, coded);
    try {
      super.send(to, message, deadline);
    } catch (NonFiniteGradientException e) {
      if (!leavesOut(message, coded, e.found())) {
        throw e;
      }
      super.send(to, message, deadline);
    }
  }

  private void check(Message result, int source) {
    int at = firstNonFinite(result.payload(), result.length());
    double loss = result.asResult().lossSum();
    if (at < 0 && Double.isFinite(loss)) {
      return;
    }
    String found =
        at < 0
            ? "loss " + loss
            : NonFiniteGradientException.found(
                layout.blockAt(at).name(), String.valueOf(result.payload().get(at)));
    leavesOut(result, source, found);
  }

  private boolean leavesOut(Message result, int source, String found) {
    long first = result.asResult().firstExample();
    if (!dropped.leavesOut(source, result.step(), first, result.examples(), found)) {
      return false;
    }
    Arrays.fill(result.values(), 0, result.length(), 0);
    result.examples(0);
    result.asResult().lossSum(0);
    return true;
  }

  private static int firstNonFinite(FloatBuffer values, int length) {
    for (int i = 0; i < length; i++) {
      if (!Float.isFinite(values.get(i))) {
        return i;
      }
    }
    return -1;
  }
}
