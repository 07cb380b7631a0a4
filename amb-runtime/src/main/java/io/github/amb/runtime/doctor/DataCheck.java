package io.github.amb.runtime.doctor;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Checks whether a data set can be read, and equals the published one. */
final class DataCheck {
  private static final String SUBJECT = "data";

  private DataCheck() {}

  /**
   * @param dataSet name of the data set
   * @param directory directory of its files; null for none
   */
  static Finding data(String dataSet, Path directory) {
    Map<String, String> sums;
    try {
      sums = DataSets.definition(dataSet).checksums(directory);
    } catch (UsageException e) {
      return Finding.failed(SUBJECT, e.getMessage(), ""); // The message says what to do.
    }
    List<String> unpublished = DataSets.unpublished(dataSet, sums);
    String remedy =
        "remove the wrong files, and fetch them again: amb data fetch %s --data-dir %s"
            .formatted(dataSet, directory);
    try {
      DataSets.load(dataSet, directory, 1);
    } catch (UsageException e) {
      return Finding.failed(SUBJECT, e.getMessage(), unpublished.isEmpty() ? "" : remedy);
    }
    String found = dataSet + ", " + count(sums.size());
    return unpublished.isEmpty()
        ? Finding.ok(SUBJECT, found)
        : Finding.warning(
            SUBJECT,
            found + ", different from the published: " + String.join(", ", unpublished),
            remedy);
  }

  private static String count(int files) {
    return switch (files) {
      case 0 -> "no files needed";
      case 1 -> "1 file, read and checked";
      default -> files + " files, read and checked";
    };
  }
}
