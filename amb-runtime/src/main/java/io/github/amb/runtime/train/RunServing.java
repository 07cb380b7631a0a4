package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.EVALUATOR;
import static io.github.amb.runtime.config.TrainSettings.PROCESS;
import static io.github.amb.runtime.console.OutputSettings.DASHBOARD;
import static io.github.amb.runtime.console.OutputSettings.METRICS_PORT;
import static io.github.amb.runtime.host.RankSettings.PLUGINS;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.watch.WatchServer;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.ListenAddress;
import io.github.amb.runtime.launch.EvaluatorProcess;
import io.github.amb.runtime.launch.Timeouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What runs beside the ranks: the servers of {@code --dashboard} and {@code --metrics-port}, and
 * the process that tests checkpoints. Closing it ends them.
 */
final class RunServing implements AutoCloseable {
  private final List<WatchServer> servers = new ArrayList<>();
  private EvaluatorProcess evaluator;

  private RunServing() {}

  /**
   * Checks that the servers that are wanted can start.
   *
   * @throws UsageException if one cannot
   */
  static void check(Settings settings) {
    // At once, as one may take the port of the other.
    check(DASHBOARD, settings, () -> check(METRICS_PORT, settings, () -> {}));
  }

  private static void check(Setting<String> setting, Settings settings, Runnable meanwhile) {
    if (isServed(setting, settings)) {
      ListenAddress.parse(settings.get(setting)).check(setting.name(), meanwhile);
    } else {
      meanwhile.run();
    }
  }

  /**
   * Starts what is wanted.
   *
   * @param lines receives the address of each server, and a line if the evaluator fails
   * @throws UsageException if a server cannot start; then none is left
   * @throws IOException if the evaluator cannot start
   */
  static RunServing start(Settings settings, RunDirectory run, Consumer<String> lines)
      throws IOException {
    RunServing serving = new RunServing();
    try {
      if (isServed(DASHBOARD, settings)) {
        ListenAddress at = ListenAddress.parse(settings.get(DASHBOARD));
        serving.servers.add(WatchServer.page(run, at.host(), at.port(), "training"));
      }
      if (isServed(METRICS_PORT, settings)) {
        ListenAddress at = ListenAddress.parse(settings.get(METRICS_PORT));
        serving.servers.add(WatchServer.metrics(run, at.host(), at.port()));
      }
      if (settings.get(EVALUATOR).equals(PROCESS)) {
        serving.evaluator = EvaluatorProcess.start(run, settings.get(PLUGINS), lines);
      }
      serving.servers.forEach(server -> lines.accept("serving " + server.url()));
      return serving;
    } catch (Throwable e) {
      serving.close();
      throw e;
    }
  }

  /** Whether the option has a server of its own: the page's server has the metrics, too. */
  private static boolean isServed(Setting<String> setting, Settings settings) {
    return settings.has(setting) && !(setting == METRICS_PORT && isOnDashboard(settings));
  }

  private static boolean isOnDashboard(Settings settings) {
    return settings.has(DASHBOARD)
        && ListenAddress.parse(settings.get(DASHBOARD))
            .isSame(ListenAddress.parse(settings.get(METRICS_PORT)));
  }

  /** Waits until the last checkpoint of an ended run has been tested. */
  void awaitEvaluator() {
    if (evaluator != null) {
      evaluator.await(Timeouts.chosen().evaluator());
    }
  }

  @Override
  public void close() {
    if (evaluator != null) {
      evaluator.close();
    }
    servers.forEach(WatchServer::close);
  }
}
