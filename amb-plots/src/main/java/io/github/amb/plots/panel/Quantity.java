package io.github.amb.plots.panel;

/**
 * The quantity on an axis.
 *
 * @param label the axis' label, with the unit in parentheses if there is one
 * @param isWhole whether values are integers, so that ticks between them are meaningless
 */
public record Quantity(String label, boolean isWhole) {
  public static final Quantity ACCURACY = real("test accuracy");
  public static final Quantity BATCH_SIZE = whole("batch size per worker (examples)");
  public static final Quantity BYTES = real("traffic of the master (MB)");
  public static final Quantity COMPUTE_TIME = real("compute time per step (s)");
  public static final Quantity EXAMPLES = whole("examples in all updates");
  public static final Quantity LEARNING_RATE = real("learning rate");
  public static final Quantity LOSS = real("training loss");
  public static final Quantity MINUTES = real("time (min)");
  public static final Quantity NOTHING = real("");
  public static final Quantity SHARE_OF_GRADIENTS = real("share of gradients (%)");
  public static final Quantity SHARE_OF_UPDATES = real("share of updates (%)");
  public static final Quantity STEP = whole("step");
  public static final Quantity TEST_LOSS = real("test loss");
  public static final Quantity TIME = real("time (s)");

  /** A quantity of any value. */
  public static Quantity real(String label) {
    return new Quantity(label, false);
  }

  /** Whether the unit has seconds or minutes. */
  public boolean isTime() {
    return !equals(virtual());
  }

  /** This quantity with virtual in front of seconds and minutes; unchanged without these. */
  public Quantity virtual() {
    return new Quantity(
        label
            .replaceFirst("(^|: )time (\\((?:s|min)\\))$", "$1virtual time $2")
            .replaceFirst("(?<!virtual time )\\((.*/)?(s|min)\\)$", "($1virtual $2)"),
        isWhole);
  }

  /** A quantity with integer values. */
  public static Quantity whole(String label) {
    return new Quantity(label, true);
  }
}
