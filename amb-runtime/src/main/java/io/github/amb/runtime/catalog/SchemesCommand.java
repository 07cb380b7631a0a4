package io.github.amb.runtime.catalog;

import io.github.amb.core.scheme.Schemes;

/** {@code amb schemes [NAME...]}: the schemes, with options and papers. */
public final class SchemesCommand extends CatalogCommand<Schemes.Entry> {
  /** Prints to standard output. */
  public SchemesCommand() {
    super("schemes", "A scheme says who waits for whom, and when the master updates.", Schemes.ALL);
  }
}
