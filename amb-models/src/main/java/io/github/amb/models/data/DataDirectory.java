package io.github.amb.models.data;

import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.source.DataFile;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;

/**
 * Finds the files of a data set in {@code DIR/<folder>} or in {@code DIR} itself, plain or gzip.
 *
 * <p>A file whose SHA-256 is that of another published file is rejected. Files of unknown content
 * are accepted, as users have their own data.
 *
 * @param directory may be null; then every search fails
 * @param known the data sets whose files are recognized
 */
public record DataDirectory(
    DataSetDefinition set, Path directory, Collection<DataSetDefinition> known) {
  public DataDirectory(DataSetDefinition set, Path directory) {
    this(set, directory, DataSets.ALL.all());
  }

  /** A file of the data set, and its SHA-256; of its content, if that is what is published. */
  private record Found(Path path, String sha256) {}

  /**
   * Returns the path of a file.
   *
   * @throws UsageException if it does not exist or is another published file
   */
  public Path find(PublishedFile file) {
    return checked(file).path();
  }

  /** SHA-256 of each file, by file name; of a gzip file's content, if that is published. */
  public Map<String, String> checksums() {
    Map<String, String> checksums = new LinkedHashMap<>();
    for (PublishedFile file : set.files()) {
      Found found = checked(file);
      checksums.put(found.path().getFileName().toString(), found.sha256());
    }
    return checksums;
  }

  /**
   * The data set, which is decoded once for all processes.
   *
   * @throws UsageException if a file is missing or malformed
   */
  DataSet once(Supplier<DecodedSet> source) {
    String key = Sha256.of(checksums().toString().getBytes(StandardCharsets.UTF_8));
    return DecodedSet.once(set.name(), set.name(), key, source::get);
  }

  private Found checked(PublishedFile file) {
    if (directory == null) {
      throw new UsageException(
          "data set '%s' is read from files: set --data-dir DIR; to download them: amb data fetch %s --data-dir DIR",
          set.name(), set.name());
    }
    for (Path candidate : candidates(file)) {
      if (Files.isRegularFile(candidate)) {
        String sha256 = Reading.expect(candidate, () -> sha256(file, candidate));
        Found found = new Found(candidate, sha256);
        rejectOther(file, found);
        return found;
      }
    }
    throw missing(file);
  }

  private static String sha256(PublishedFile file, Path path) throws IOException {
    String bytes = Sha256.of(path);
    if (file.matches(bytes) || !DataFile.isGzip(path)) {
      return bytes;
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(path))) {
      String content = Sha256.of(in.readAllBytes());
      return file.matches(content) ? content : bytes;
    }
  }

  private List<Path> candidates(PublishedFile file) {
    String dotted = file.name().replace("-idx", ".idx");
    List<Path> candidates = new ArrayList<>();
    for (Path folder : List.of(directory.resolve(set.folder()), directory)) {
      for (String name : List.of(file.name(), dotted)) {
        candidates.add(folder.resolve(name));
        candidates.add(folder.resolve(name + ".gz"));
      }
    }
    return candidates;
  }

  private UsageException missing(PublishedFile file) {
    return new UsageException(
        "data set '%s': expected %s or %s.gz in %s or %s, found neither: fetch it with 'amb data fetch %s --data-dir %s'",
        set.name(),
        file.name(),
        file.name(),
        directory.resolve(set.folder()),
        directory,
        set.name(),
        directory);
  }

  private void rejectOther(PublishedFile expected, Found found) {
    if (expected.matches(found.sha256())) {
      return;
    }
    for (DataSetDefinition other : known) {
      List<PublishedFile> same =
          other.files().stream().filter(file -> file.matches(found.sha256())).toList();
      if (!same.isEmpty()) {
        throw new UsageException(
            "%s: expected %s of data set '%s', found %s of data set '%s': move it away, and fetch the right one with 'amb data fetch %s --data-dir %s'",
            found.path(),
            expected.name(),
            set.name(),
            same.get(0).name(),
            other.name(),
            set.name(),
            directory);
      }
    }
  }
}
