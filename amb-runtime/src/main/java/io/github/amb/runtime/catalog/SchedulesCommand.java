package io.github.amb.runtime.catalog;

import io.github.amb.core.schedule.Schedules;

/** {@code amb schedules [NAME...]}: the learning-rate schedules. */
public final class SchedulesCommand extends CatalogCommand<Schedules.Entry> {
  /** Prints to standard output. */
  public SchedulesCommand() {
    super("schedules", "A schedule says how the learning rate changes.", Schedules.ALL);
  }
}
