package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A rank's communicator under {@code --non-finite drop}: a result with an entry or a loss that is
 * infinite or not a number becomes one of no examples, which changes nothing, when the master
 * receives it, or before a worker sends it through a codec, which would refuse it.
 */
public final class FiniteFilter extends ForwardingCommunicator {
  private static final int BASE = 10;

  private final Layout layout;
  private final int coded;
  private final Consumer<String> warnings;
  private long dropped;
  private long unit = 1;

  /**
   * @param communicator with the codec, if there is one
   * @param layout of the results' vectors
   * @param coded this worker's lasting number if its results are encoded, else 0
   * @param warnings receives lines for results that are dropped, naming rank, step and block; for
   *     fewer and fewer of them as they become many
   */
  public FiniteFilter(
      Communicator communicator, Layout layout, int coded, Consumer<String> warnings) {
    super(communicator);
    this.coded = coded;
    this.layout = layout;
    this.warnings = warnings;
  }

  /** Results are looked at one by one. */
  @Override
  public boolean reduces(int length) {
    return false;
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    boolean received = super.receive(from, into, deadline);
    if (received && FaultInjector.isResult(into)) {
      check(into, into.source());
    }
    return received;
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    if (coded > 0 && FaultInjector.isResult(frame)) {
      check(frame, coded);
    }
    super.send(to, frame, deadline);
  }

  private void check(Frame result, int source) {
    int at = firstNonFinite(result.payload(), result.length());
    double loss = result.stat(Frame.LOSS_SUM);
    if (at < 0 && Double.isFinite(loss)) {
      return;
    }
    String what =
        at < 0
            ? "loss " + loss
            : "block %s, which has %s".formatted(block(at), result.payload().get(at));
    warn(
        "result of rank %d for step %d dropped, %s: %s"
            .formatted(source, result.step(), batch(result), what));
    Arrays.fill(result.values(), 0, result.length(), 0);
    result.examples(0);
    result.stat(Frame.LOSS_SUM, 0);
  }

  private static String batch(Frame result) {
    long first = (long) result.stat(Frame.FIRST_EXAMPLE);
    return first < 0
        ? result.examples() + " examples"
        : "examples %d to %d of its order".formatted(first, first + result.examples() - 1);
  }

  /** Tells of the first few, and then of fewer and fewer: the 20th, the 30th, ..., the 200th. */
  private void warn(String warning) {
    dropped++;
    unit = dropped == BASE * unit ? dropped : unit;
    if (dropped % unit == 0) {
      warnings.accept(unit == 1 ? warning : "%s; %d dropped so far".formatted(warning, dropped));
    }
  }

  private static int firstNonFinite(FloatBuffer values, int length) {
    for (int i = 0; i < length; i++) {
      if (!Float.isFinite(values.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private String block(int at) {
    return layout.blocks().stream()
        .filter(block -> at < block.end())
        .map(Block::name)
        .findFirst()
        .orElse("?");
  }
}
