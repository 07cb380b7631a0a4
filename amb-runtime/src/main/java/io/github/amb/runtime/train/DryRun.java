package io.github.amb.runtime.train;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RankPlacement;
import io.github.amb.runtime.train.part.RunParts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The text of {@code amb train --dry-run}: what would run, in a few lines. */
final class DryRun {
  private DryRun() {}

  /**
   * @param hosts where the ranks are
   */
  static String describe(RunParts run, RankPlacement hosts) {
    Settings settings = run.settings();
    StringBuilder text = new StringBuilder("dry run: nothing is started or written\n");
    add(text, "data", data(run));
    add(text, "network", network(run));
    add(text, "scheme", settings.get(SCHEME) + ", batch size " + settings.get(BATCH_SIZE));
    add(
        text,
        "update rule",
        settings.get(UPDATE_RULE) + ", learning rate " + settings.get(LEARNING_RATE));
    add(text, "ranks", ranks(settings, hosts));
    add(text, "ends after", end(run.stop()));
    add(text, "directory", directory(settings));
    run.remarks().forEach(remark -> add(text, "remark", remark));
    return text.toString();
  }

  private static void add(StringBuilder text, String what, Object value) {
    text.append("  %-12s %s%n".formatted(what, value));
  }

  private static String data(RunParts run) {
    DataSet data = run.data();
    return data == null
        ? run.settings().get(DATA_SET) + ", not read"
        : "%s: %s training and %s test examples of %s, %s %s"
            .formatted(
                data.name(),
                data.train().count(),
                data.test().count(),
                data.shape(),
                data.classes(),
                data.predicted());
  }

  private static String network(RunParts run) {
    String name = run.settings().has(NETWORK) ? run.settings().get(NETWORK) : "none";
    long parameters = run.timingOnly() ? run.settings().get(PARAMETERS) : run.parameters();
    return name + ", " + parameters + " parameters";
  }

  private static String ranks(Settings settings, RankPlacement hosts) {
    int workers = settings.get(WORKERS);
    if (workers == 0) {
      return "this process alone";
    }
    Collection<String> places = hosts.describe().values();
    String where = places.isEmpty() ? "" : " (" + String.join("; ", places) + ")";
    return "1 master, %s workers, engine %s%s".formatted(workers, settings.get(ENGINE), where);
  }

  /** The limits that the run has, the first to be reached counts. */
  private static String end(StopRule stop) {
    List<String> limits = new ArrayList<>();
    if (stop.lastStep() > 0) {
      limits.add(stop.lastStep() + " steps");
    }
    if (stop.maxEpochs() < Double.POSITIVE_INFINITY) {
      limits.add(stop.maxEpochs() + " epochs");
    }
    if (stop.maxTime() < Double.POSITIVE_INFINITY) {
      limits.add(stop.maxTime() + " s");
    }
    if (stop.targetAccuracy() < StopRule.NO_TARGET) {
      limits.add("accuracy " + stop.targetAccuracy());
    }
    if (!Double.isNaN(stop.targetLoss())) {
      limits.add("loss " + stop.targetLoss());
    }
    if (stop.patience() > 0) {
      limits.add(stop.patience() + " tests without improvement");
    }
    if (stop.budget().isLimit()) {
      limits.add(stop.budget().toString());
    }
    return limits.isEmpty() ? "it is stopped" : String.join(" or ", limits);
  }

  private static String directory(Settings settings) {
    if (settings.has(RESUME)) {
      return settings.get(RESUME) + ", resumed";
    }
    return settings.has(RUN_DIRECTORY)
        ? settings.get(RUN_DIRECTORY)
        : "a new one in " + settings.get(RUNS_DIR);
  }
}
