package io.github.amb.runtime.experiment;

import static io.github.amb.models.data.DataSettings.DATA_DIR;
import static io.github.amb.models.data.DataSettings.DATA_SET;
import static io.github.amb.models.network.NetworkSettings.NETWORK;
import static io.github.amb.runtime.config.SimSettings.REPLAY;
import static io.github.amb.runtime.config.TrainSettings.BUDGET;
import static io.github.amb.runtime.config.TrainSettings.SEED;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.part.InputChecksums;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which runs an experiment has. */
final class ExperimentPlan {
  private ExperimentPlan() {}

  /**
   * All runs, seed by seed, so that one that is interrupted can compare what it has.
   *
   * @param dataDir directory of data sets for variants that name none; null for the usual one
   * @param folder of all run directories
   * @param anyBuild whether runs count that another build of the program has completed
   * @throws UsageException naming all that is wrong with the variants' options and data
   */
  static List<ExperimentRun> of(
      Experiment experiment, String dataDir, Path folder, boolean anyBuild) throws IOException {
    List<ExperimentVariant> variants =
        experiment.variants().stream()
            .map(variant -> located(variant, dataDir, experiment.budget()))
            .toList();
    check(variants, experiment.seeds().get(0));
    Map<String, String> program = new HashMap<>(PluginLoader.describe());
    program.put("amb", ProgramDigest.of(RunProvenance.describe().get("amb")));
    Map<List<String>, Map<String, String>> checksums = new HashMap<>();
    List<ExperimentRun> runs = new ArrayList<>();
    for (long seed : experiment.seeds()) {
      for (int i = 0; i < variants.size(); i++) {
        Settings settings = variants.get(i).settings();
        boolean reads = RunParts.readsData(settings);
        List<String> key =
            Stream.of(
                    reads,
                    settings.get(DATA_SET),
                    settings.get(DATA_DIR),
                    settings.get(NETWORK),
                    settings.get(REPLAY))
                .map(String::valueOf)
                .toList();
        Map<String, String> data =
            checksums.computeIfAbsent(key, any -> InputChecksums.of(settings));
        ExperimentRun own = ExperimentRun.of(variants.get(i), seed, data, program, folder);
        ExperimentRun run = anyBuild ? own.orOfAnotherBuild() : own;
        runs.add(new ExperimentRun(experiment.variants().get(i), run.settings(), run.directory()));
      }
    }
    return runs;
  }

  private static ExperimentVariant located(
      ExperimentVariant variant, String dataDir, Budget budget) {
    Settings settings = variant.settings();
    if (budget.isLimit()) {
      settings = settings.with(BUDGET, budget);
    }
    if (dataDir != null && !settings.has(DATA_DIR)) {
      settings = settings.with(DATA_DIR, dataDir);
    }
    return new ExperimentVariant(variant.points(), settings);
  }

  private static void check(List<ExperimentVariant> variants, long seed) {
    Set<String> problems = new LinkedHashSet<>();
    for (ExperimentVariant variant : variants) {
      try {
        RunParts.of(variant.settings().with(SEED, seed));
      } catch (UsageException e) {
        e.getMessage()
            .lines()
            .map(line -> line.matches(".* line \\d+: .*") ? line : variant.name() + ": " + line)
            .forEach(problems::add);
      }
    }
    UsageException.expectNone(List.copyOf(problems));
  }
}
