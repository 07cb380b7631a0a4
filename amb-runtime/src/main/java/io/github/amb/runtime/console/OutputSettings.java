package io.github.amb.runtime.console;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Setting.Role;
import io.github.amb.runtime.host.ListenAddress;

/** The options of the console and of the run's directory. */
public interface OutputSettings {
  Setting<String> NAME =
      text("name", null)
          .in(
              "up to 100 letters, digits, dots, dashes, underscores",
              t -> t.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}._+-]{0,99}"))
          .help("the run's name, of which its directory is made; default: from its options")
          .as(Role.PLACE);
  Setting<String> TAG =
      text("tag", null)
          .in("words, separated by commas")
          .help("what amb runs --filter finds the run by")
          .as(Role.PLACE);
  Setting<String> NOTE =
      text("note", null).help("what amb runs shows beside the run").as(Role.PLACE);
  Setting<String> PROGRESS =
      oneOf("progress", RunView.AUTO, RunView.PLAIN, RunView.JSON, RunView.NONE)
          .help(
              "auto: one line on a terminal, else lines; json: for programs; none: the run's"
                  + " directory alone, as --quiet")
          .as(Role.PLACE);
  Setting<String> DASHBOARD =
      address("dashboard").help("serves a page that follows the run; loopback unless told");
  Setting<String> METRICS_PORT =
      address("metrics-port").help("serves the run's numbers to Prometheus; loopback unless told");
  Setting<String> ON_END =
      text("on-end", null)
          .in("a command of the shell; it has AMB_RUN, AMB_EXIT_CODE and AMB_CAUSE")
          .help("runs when the run has ended in any way; with --restarts, after each part of it")
          .as(Role.ORDER);
  Setting<Integer> LOG_FREQ =
      integer("log-freq", 1, 1).help("steps between two lines in rank-0.log");
  Setting<String> RUNS_DIR =
      path("runs-dir", "runs").help("where run directories are made").as(Role.PLACE);
  Setting<String> RUN_DIRECTORY =
      path("run-directory", null)
          .help("this run's own; default: a new one in runs-dir")
          .as(Role.PLACE);

  private static Setting<String> address(String name) {
    return Setting.<String>of(name, null, JsonForm.NUMBER_OR_TEXT, t -> t)
        .in(ListenAddress.RANGE, t -> ListenAddress.parse(t) != null)
        .as(Role.PLACE);
  }
}
