package io.github.amb.runtime.experiment;

import io.github.amb.runtime.command.Arguments;
import java.io.IOException;

/** {@code amb reproduce}: {@code amb experiment} for the comparisons of others that ship. */
public final class ReproduceCommand extends ExperimentCommand {
  /** Prints to standard output. */
  public ReproduceCommand() {
    super("reproduce", "[NAME]", "repeat a published comparison; without a name: list them");
  }

  @Override
  protected int run(Arguments given) throws IOException, InterruptedException {
    if (given.positional().isEmpty()) {
      out.print(ShippedExperiments.list(true));
      return 0;
    }
    return super.run(given);
  }
}
