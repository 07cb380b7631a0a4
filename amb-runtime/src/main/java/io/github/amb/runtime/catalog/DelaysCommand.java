package io.github.amb.runtime.catalog;

import io.github.amb.core.delay.DelayModels;

/** {@code amb delays [NAME...]}: the distributions of induced delays. */
public final class DelaysCommand extends CatalogCommand<DelayModels.Entry> {
  /** Prints to standard output. */
  public DelaysCommand() {
    super(
        "delays",
        "A delay model says how long workers are held up, to make stragglers.",
        DelayModels.ALL);
  }
}
