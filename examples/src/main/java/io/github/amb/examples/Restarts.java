package io.github.amb.examples;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.schedule.Schedule;
import io.github.amb.core.schedule.ScheduleOptions;
import io.github.amb.core.schedule.Schedules;
import java.util.List;

/** A schedule: half a cosine to 0, again and again. */
public final class Restarts implements Plugin<Schedules.Entry> {
  @Override
  public List<Schedules.Entry> entries() {
    Description description =
        Description.of("restarts", "half a cosine to 0, restarted every so many steps")
            .use("Several good models in one run.")
            .formula("eta(t) = eta (1 + cos(pi (t mod n) / n)) / 2")
            .source("Loshchilov and Hutter, SGDR, ICLR 2017");
    return List.of(new Schedules.Entry(description, "[:STEPS=100]", Restarts::schedule));
  }

  private static Schedule schedule(ScheduleOptions settings, EntryArguments arguments) {
    int steps = arguments.count(100, 1, Integer.MAX_VALUE);
    double rate = settings.learningRate();
    return (step, epochs) -> rate * (1 + Math.cos(Math.PI * (step % steps) / steps)) / 2;
  }
}
