package io.github.amb.runtime.plot;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The default folder of figures and pages, {@code plots}. */
final class Plots {
  private Plots() {}

  /** The folder in a single run, or beside the first of several. */
  static Path of(List<Run> runs) {
    RunDirectory first = runs.get(0).directory();
    return runs.size() == 1 ? first.plots() : first.path().resolveSibling("plots");
  }

  /** Creates the folder, which must not be a link. */
  static Path make(List<Run> runs) throws IOException {
    Path folder = of(runs);
    Path parent = folder.getParent();
    return OutputFile.folder(parent == null ? Path.of("") : parent, folder);
  }
}
