package io.github.amb.core.record;

/**
 * What the tests of a run have found so far. A test brings an improvement if its accuracy is higher
 * or its loss smaller than those of all tests before.
 *
 * @param step updates applied to the parameters tested last; −1 before the first test
 * @param bestAccuracy the highest accuracy, 0 to 1; 0 before the first test
 * @param bestLoss the smallest mean loss per test example; infinite before the first test
 * @param stale number of tests since the last improvement
 * @param waited number of tests since the last improvement or plateau
 * @param plateaus how often as many tests in a row as asked for brought no improvement
 */
public record TestProgress(
    long step, double bestAccuracy, double bestLoss, long stale, long waited, long plateaus) {
  /** Before the first test. */
  public static final TestProgress NONE =
      new TestProgress(-1, 0, Double.POSITIVE_INFINITY, 0, 0, 0);

  /**
   * After one more test.
   *
   * @param patience number of tests in a row without improvement that are a plateau; 0 for none
   */
  public TestProgress with(EvaluationRecord test, long patience) {
    boolean better = test.accuracy() > bestAccuracy || test.testLoss() < bestLoss;
    boolean plateau = !better && patience > 0 && waited + 1 >= patience;
    return new TestProgress(
        test.step(),
        test.accuracy() > bestAccuracy ? test.accuracy() : bestAccuracy,
        test.testLoss() < bestLoss ? test.testLoss() : bestLoss,
        better ? 0 : stale + 1,
        better || plateau ? 0 : waited + 1,
        plateau ? plateaus + 1 : plateaus);
  }

  /** These numbers, for {@link #of}. */
  public double[] numbers() {
    return new double[] {step, bestAccuracy, bestLoss, stale, waited, plateaus};
  }

  /** What {@link #numbers} were of; they are whole where they count. */
  public static TestProgress of(double[] n) {
    return new TestProgress((long) n[0], n[1], n[2], (long) n[3], (long) n[4], (long) n[5]);
  }
}
