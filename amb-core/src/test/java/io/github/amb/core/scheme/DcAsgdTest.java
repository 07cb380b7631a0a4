package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class DcAsgdTest {
  private static final DelayModel RANDOM = random -> random.nextDouble();
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("w", Block.Kind.WEIGHT, 0, 2),
              new Block("mean", Block.Kind.RUNNING_STATISTIC, 2, 1)));

  private static TrainingRun train(Scheme scheme) {
    return TrainingRun.plan(scheme, 3).delays(RANDOM).rule("sgd", 0.5, 0).steps(60).run();
  }

  private static Scheme dcasgd(String mode, double lambda) {
    return Schemes.named("dcasgd")
        .create(new SchemeOptions(10, 3).with(DcAsgd.MODE, mode).with(DcAsgd.LAMBDA, lambda));
  }

  @Test
  void withoutCompensationItIsAsynchronousBitForBit() {
    TrainingRun async = train(Schemes.named("async").create(new SchemeOptions(10, 3)));
    for (String mode : List.of("constant", "adaptive")) {
      assertArrayEquals(async.parameters, train(dcasgd(mode, 0)).parameters);
      assertEquals(async.records, train(dcasgd(mode, 0)).records);
    }
  }

  @Test
  void defaultsAreThePapers() {
    var defaults = Schemes.named("dcasgd").create(new SchemeOptions(10, 3));
    assertArrayEquals(train(dcasgd("constant", 0.04)).parameters, train(defaults).parameters);
    assertFalse(Arrays.equals(train(dcasgd("constant", 0)).parameters, train(defaults).parameters));
    var adaptive =
        Schemes.named("dcasgd").create(new SchemeOptions(10, 3).with(DcAsgd.MODE, "adaptive"));
    assertArrayEquals(train(dcasgd("adaptive", 2)).parameters, train(adaptive).parameters);
  }

  @Test
  void aLoneWorkersGradientIsNotCorrected() {
    Scheme async = Schemes.named("async").create(new SchemeOptions(10, 1));
    TrainingRun expected = TrainingRun.plan(async, 1).rule("sgd", 0.5, 0).steps(20).run();
    for (String mode : List.of("constant", "adaptive")) {
      TrainingRun run = TrainingRun.plan(dcasgd(mode, 2), 1).rule("sgd", 0.5, 0).steps(20).run();
      assertArrayEquals(expected.parameters, run.parameters, mode);
    }
  }

  @Test
  void theModeDecidesWhichCompensationIsUsed() {
    assertFalse(
        Arrays.equals(
            train(dcasgd("constant", 0.04)).parameters,
            train(dcasgd("adaptive", 0.04)).parameters));
  }

  /** g = (3, −2) of sums over 2 examples, moved by (0.5, 1). */
  @Test
  void aConstantOneAddsLambdaTimesTheSquareTimesTheMove() {
    var compensation = DelayCompensation.constant(LAYOUT, 2, 0.04);
    compensation.sent(only(2), new float[] {1, 1, 1});
    compensation.sent(only(1), new float[] {9, 9, 9});
    float[] sum = {6, -4, 6};
    compensation.correct(gradient(2, sum), new float[] {1.5f, 2, 7});
    float[] expected = {2 * (3 + 0.04f * 9 * 0.5f), 2 * (-2 + 0.04f * 4 * 1), 6};
    assertNearly(expected, sum);
  }

  /** v = 0.05 g² at first, so that λ = 2 / √(0.05 g²). */
  @Test
  void anAdaptiveOneDividesByTheRootMeanSquare() {
    var compensation = DelayCompensation.adaptive(LAYOUT, 1, 2, 0.95);
    compensation.sent(only(1), new float[] {1, 1, 1});
    float[] sum = {6, -4, 6};
    compensation.correct(gradient(1, sum), new float[] {1.5f, 2, 7});
    double root = Math.sqrt(0.05);
    float[] expected = {
      (float) (2 * (3 + 2 / (root * 3) * 9 * 0.5)), (float) (2 * (-2 + 2 / (root * 2) * 4)), 6
    };
    assertNearly(expected, sum);
    compensation.correct(gradient(1, sum = new float[] {2, 0, 0}), new float[] {2, 1, 1});
    double v = 0.95 * 0.05 * 9 + 0.05 * 1;
    assertNearly(new float[] {(float) (2 * (1 + 2 / Math.sqrt(v))), 0, 0}, sum);
  }

  /** A division by its number of examples would make the mean square NaN for ever. */
  @Test
  void aResultWithoutExamplesLeavesTheMeanSquare() {
    var compensation = DelayCompensation.adaptive(LAYOUT, 1, 2, 0.95);
    compensation.sent(only(1), new float[] {1, 1, 1});
    Result empty = gradient(1, new float[3]);
    empty.message().examples(0);
    compensation.correct(empty, new float[] {1.5f, 2, 7});
    float[] sum = {6, -4, 6};
    compensation.correct(gradient(1, sum), new float[] {1, 1, 1});
    assertArrayEquals(new float[] {6, -4, 6}, sum);
  }

  /** At most eight operations on floats led to each, here and there. */
  private static void assertNearly(float[] expected, float[] found) {
    for (int i = 0; i < expected.length; i++) {
      double rounding = 16 * TrainingRun.UNIT_ROUNDOFF * Math.abs(expected[i]);
      assertEquals(expected[i], found[i], rounding, "entry " + i);
    }
  }

  private static BitSet only(int rank) {
    BitSet ranks = new BitSet();
    ranks.set(rank);
    return ranks;
  }

  /** A sum over two examples. */
  private static Result gradient(int rank, float[] sum) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.source(rank);
    message.examples(2);
    message.exchange(sum, sum.length);
    return message.asResult();
  }
}
