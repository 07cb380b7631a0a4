package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds the files of a data set in {@code DIR/<folder>} or in {@code DIR} itself, plain or gzip.
 *
 * <p>A file that is published under another name or in another data set is refused by its SHA-256;
 * files of unknown content are accepted, for users have their own data.
 */
final class DataDirectory {
  private final DataSetDefinition set;
  private final Path directory;
  private final Collection<DataSetDefinition> known;

  DataDirectory(DataSetDefinition set, Path directory) {
    this(set, directory, DataSets.definitions());
  }

  /**
   * @param directory may be null: every search then fails
   * @param known the data sets whose files are recognised
   */
  DataDirectory(DataSetDefinition set, Path directory, Collection<DataSetDefinition> known) {
    this.set = set;
    this.directory = directory;
    this.known = known;
  }

  /**
   * Path of a file.
   *
   * @throws UsageException if it is not there or is another published file
   */
  Path find(PublishedFile file) {
    if (directory == null) {
      throw new UsageException(
          "data set '%s' is read from files: say where they are with --data-dir DIR; to download them: amb data fetch %s --data-dir DIR"
              .formatted(set.name(), set.name()));
    }
    Path found =
        candidates(file).filter(Files::isRegularFile).findFirst().orElseThrow(() -> missing(file));
    refuseOther(file, found);
    return found;
  }

  /** File names and SHA-256 of all files. */
  Map<String, String> checksums() {
    Map<String, String> checksums = new LinkedHashMap<>();
    for (PublishedFile file : set.files()) {
      Path found = find(file);
      checksums.put(found.getFileName().toString(), sha256(found));
    }
    return checksums;
  }

  private Stream<Path> candidates(PublishedFile file) {
    String dotted = file.name().replaceFirst("-(?=idx\\d)", ".");
    return Stream.of(directory.resolve(set.folder()), directory)
        .flatMap(
            folder ->
                Stream.of(file.name(), file.name() + ".gz", dotted, dotted + ".gz")
                    .map(folder::resolve));
  }

  private UsageException missing(PublishedFile file) {
    return new UsageException(
        "data set '%s': expected %s or %s.gz in %s or %s, found neither: fetch it with 'amb data fetch %s --data-dir %s'"
            .formatted(
                set.name(),
                file.name(),
                file.name(),
                directory.resolve(set.folder()),
                directory,
                set.name(),
                directory));
  }

  private void refuseOther(PublishedFile expected, Path found) {
    String sha256 = sha256(found);
    if (expected.matches(sha256)) {
      return;
    }
    for (DataSetDefinition other : known) {
      List<PublishedFile> same =
          other.files().stream().filter(file -> file.matches(sha256)).toList();
      if (!same.isEmpty()) {
        throw new UsageException(
            "%s: expected %s of data set '%s', found %s of data set '%s'"
                .formatted(found, expected.name(), set.name(), same.get(0).name(), other.name()));
      }
    }
  }

  private static String sha256(Path file) {
    try {
      return Sha256.of(file);
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s".formatted(file, e));
    }
  }
}
