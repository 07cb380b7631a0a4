package io.github.amb.runtime.catalog;

import io.github.amb.core.update.UpdateRules;

/** {@code amb rules [NAME...]}: the update rules, with formulas and papers. */
public final class RulesCommand extends CatalogCommand<UpdateRules.Entry> {
  /** Prints to standard output. */
  public RulesCommand() {
    super(
        "rules",
        "An update rule says how the master turns a mean gradient into new parameters.",
        UpdateRules.ALL);
  }
}
