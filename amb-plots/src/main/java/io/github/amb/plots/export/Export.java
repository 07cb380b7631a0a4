package io.github.amb.plots.export;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The file formats of other programs to which runs can be exported. */
public enum Export {
  /** {@code NETWORK/MODE/NAME.json}, as ESync's {@code summary.py} writes and its drawer reads. */
  ESYNC(EsyncSummary::write),
  /** {@code RUN/master_stats.csv} and so on, as the Python implementation of AMB writes. */
  AMB_CSV(AmbCsv::write),
  /** {@code RUN/events.out.tfevents…}, which TensorBoard opens. */
  TENSORBOARD(TensorBoard::write);

  @FunctionalInterface
  private interface Writer {
    List<Path> write(Run run, Path folder) throws IOException;
  }

  private final Writer writer;

  Export(Writer writer) {
    this.writer = writer;
  }

  /** The name that the user types. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Export::toString).toList();
  }

  /** The format of one of these names. */
  public static Export named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * Writes runs.
   *
   * @param folder created if missing; files in it are replaced
   * @return the files written
   * @throws UsageException if two runs have the same file
   * @throws IOException if a file cannot be written
   */
  public List<Path> write(List<Run> runs, Path folder) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    for (Run run : runs) {
      for (Path file : writer.write(run, folder)) {
        if (!files.add(file)) {
          throw new UsageException(
              "%s: expected one run for this file, found several, the last of them %s; write them"
                      .formatted(file, run.directory().path())
                  + " one by one, to different folders (--out)");
        }
      }
    }
    return new ArrayList<>(files);
  }
}
