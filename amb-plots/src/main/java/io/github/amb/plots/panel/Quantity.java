package io.github.amb.plots.panel;

/** What an axis shows, and in what unit. */
public enum Quantity {
  ACCURACY("test accuracy", false),
  BATCH_SIZE("batch size per worker (examples)", true),
  COMPUTE_TIME("compute time per step (s)", false),
  EXAMPLES("examples in all updates", true),
  LEARNING_RATE("learning rate", false),
  LOSS("training loss", false),
  SHARE_OF_GRADIENTS("share of gradients (%)", false),
  STEP("step", true),
  TIME("time (s)", false);

  private final String label;
  private final boolean whole;

  Quantity(String label, boolean whole) {
    this.label = label;
    this.whole = whole;
  }

  /** The axis' label, with the unit in parentheses if there is one. */
  public String label() {
    return label;
  }

  /** Whether values are whole numbers, so that ticks between them would mean nothing. */
  public boolean isWhole() {
    return whole;
  }
}
