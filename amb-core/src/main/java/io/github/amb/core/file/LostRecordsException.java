package io.github.amb.core.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Records of a run are missing from its logs, because the disk was full. */
public final class LostRecordsException extends IOException {
  /**
   * @param run the run directory
   * @param records number of missing records by name of the log, each positive
   */
  public LostRecordsException(Path run, SortedMap<String, Long> records) {
    super(
        "%s: %d records could not be written: %s; make room on the disk"
            .formatted(
                run,
                records.values().stream().mapToLong(Long::longValue).sum(),
                records.entrySet().stream()
                    .map(log -> log.getValue() + " of " + log.getKey())
                    .collect(Collectors.joining(", "))));
  }
}
