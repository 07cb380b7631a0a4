package io.github.amb.examples;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import java.util.List;

/** A delay model: Pareto's distribution of index a, from 0 on, cut at 100 times the scale. */
public final class ParetoDelay implements Plugin<DelayModels.Entry> {
  @Override
  public List<DelayModels.Entry> entries() {
    Description description =
        Description.of("pareto", "rare, long delays with a heavy tail")
            .use("Stragglers that are rare and very slow.")
            .formula("scale (u^(-1/a) - 1), u uniform in (0, 1]")
            .source("Dean and Barroso, The Tail at Scale, 2013");
    return List.of(new DelayModels.Entry(description, "[:INDEX=2][,scale=0.1]", this::model));
  }

  private DelayModel model(EntryArguments arguments) {
    double index = arguments.first(2, a -> a > 0, "an index above 0");
    double scale = arguments.named("scale", 0.1, s -> s > 0, "seconds above 0");
    return random -> {
      double uniform = 1 - random.nextDouble();
      return scale * Math.min(100, Math.pow(uniform, -1 / index) - 1);
    };
  }
}
