package io.github.amb.plots.watch;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunServer;

/** What {@code amb train} serves while it trains. */
public final class RunServers implements RunServer {
  @Override
  public Listening page(RunDirectory run, String host, int port) {
    return WatchServer.page(run, host, port, "training");
  }

  @Override
  public Listening metrics(RunDirectory run, String host, int port) {
    return WatchServer.metrics(run, host, port);
  }
}
