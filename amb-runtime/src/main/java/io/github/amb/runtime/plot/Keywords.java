package io.github.amb.runtime.plot;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.command.Arguments;
import java.util.List;

/**
 * Selects runs by words in their directories' names.
 *
 * @param all a selected name contains all of these
 * @param any a selected name contains one of these, if there are any
 * @param none a selected name contains none of these
 */
record Keywords(List<String> all, List<String> any, List<String> none) {
  static Keywords of(Arguments given) {
    return new Keywords(given.values("and-kw"), given.values("or-kw"), given.values("not-kw"));
  }

  /**
   * Returns the selected runs, in order.
   *
   * @throws UsageException if there is none
   */
  List<RunDirectory> choose(List<RunDirectory> runs) {
    List<RunDirectory> chosen = runs.stream().filter(this::wants).toList();
    if (chosen.isEmpty() && !runs.isEmpty()) {
      throw new UsageException(
          "--and-kw, --or-kw, --not-kw: expected to keep a run, found none of %d that fits",
          runs.size());
    }
    return chosen;
  }

  private boolean wants(RunDirectory run) {
    String name = run.path().toAbsolutePath().normalize().getFileName().toString();
    return all.stream().allMatch(name::contains)
        && (any.isEmpty() || any.stream().anyMatch(name::contains))
        && none.stream().noneMatch(name::contains);
  }
}
