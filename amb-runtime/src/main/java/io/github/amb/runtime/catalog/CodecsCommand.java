package io.github.amb.runtime.catalog;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.plugin.Description;
import java.util.stream.Collectors;

/** {@code amb codecs [CODEC...]}: the codecs, with what is known of their bias and error. */
public final class CodecsCommand extends CatalogCommand<Codecs.Entry> {
  private static final int ROWS = 512;
  private static final int COLUMNS = 256;

  /** Prints to standard output. */
  public CodecsCommand() {
    super("codecs", "A codec says how gradients are encoded in messages.", Codecs.ALL);
  }

  @Override
  protected String footer() {
    String names =
        Codecs.ADDITIONS.stream().map(Description::name).collect(Collectors.joining(", "));
    return "Additions, as in topk:0.01+ef: " + names + ".";
  }

  @Override
  protected String details(Codecs.Entry entry, String text) {
    Codec codec = Codecs.parse(text).codec();
    double bound = codec.errorBound(ROWS, COLUMNS);
    return format(
        "  %-9s %s; relative squared error of a block [%d, %d] %s%n",
        "known",
        codec.isUnbiased() ? "unbiased" : "biased",
        ROWS,
        COLUMNS,
        Double.isInfinite(bound) ? "without a known bound" : format("at most %.3g", bound));
  }
}
