package io.github.amb.plots.command;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The folder {@code plots} that figures and pages go to unless the user names another. */
final class Plots {
  private Plots() {}

  /** In a single run, or beside the first of several. */
  static Path of(List<Run> runs) {
    RunDirectory first = runs.get(0).directory();
    return runs.size() == 1 ? first.plots() : first.path().resolveSibling("plots");
  }

  /** Makes it; it must not be a link that somebody has put there. */
  static Path make(List<Run> runs) throws IOException {
    Path folder = of(runs);
    Path parent = folder.getParent();
    return OutputFile.folder(parent == null ? Path.of("") : parent, folder);
  }
}
