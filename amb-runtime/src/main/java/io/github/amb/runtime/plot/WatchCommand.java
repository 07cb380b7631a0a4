package io.github.amb.runtime.plot;

import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.watch.WatchServer;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.cli.Options;

/** {@code amb watch}: serves a page that follows one run, until a signal ends the program. */
public final class WatchCommand extends OptionsCommand {
  private static final Setting<Integer> PORT = Setting.integer("port", 0, 0, 65535);

  /** Prints to standard output. */
  public WatchCommand() {
    super(
        "watch",
        "RUN",
        "follow a run on a page in the browser: curves, workers, events, time left");
  }

  @Override
  protected int run(Arguments given) throws IOException, InterruptedException {
    try (WatchServer server = start(given)) {
      out.println(server.url());
      out.flush();
      // Only a signal ends the program.
      new CountDownLatch(1).await();
      return 0;
    }
  }

  /** Starts the server that the arguments describe. */
  static WatchServer start(Arguments given) {
    RunDirectory run = RunDirectory.named(given.single("one run directory (runs/<id>)"));
    RunReader.requireOwn(run);
    return WatchServer.page(
        run, given.value("host", "127.0.0.1"), given.get(PORT), "training, or killed");
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        port PORT      Port of the page. Default: 0, any free one.
        host ADDRESS   Address to listen at. Default: 127.0.0.1, this machine alone. Anyone who
            reaches another one can read the run.
        """);
  }
}
