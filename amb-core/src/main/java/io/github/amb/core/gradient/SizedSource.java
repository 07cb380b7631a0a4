package io.github.amb.core.gradient;

/**
 * A source whose layout and numbers of examples are known when it is made, and which has no native
 * memory.
 */
public abstract class SizedSource implements GradientSource {
  private final Layout layout;
  private final int trainingExamples;
  private final int testExamples;

  /** A source of these sizes. */
  protected SizedSource(Layout layout, int trainingExamples, int testExamples) {
    this.layout = layout;
    this.trainingExamples = trainingExamples;
    this.testExamples = testExamples;
  }

  @Override
  public final Layout layout() {
    return layout;
  }

  @Override
  public final int trainingExamples() {
    return trainingExamples;
  }

  @Override
  public final int testExamples() {
    return testExamples;
  }

  /** Has no effect, as there is no native memory to free. */
  @Override
  public void close() {}
}
