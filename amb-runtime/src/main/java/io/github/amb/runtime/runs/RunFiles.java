package io.github.amb.runtime.runs;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Removes and archives run directories that nobody writes to. */
final class RunFiles {
  private static final long MEGABYTE = 1_000_000;

  private RunFiles() {}

  /** Size of a run's files in megabytes, rounded up. */
  static long megabytes(RunDirectory run) throws IOException {
    try (Stream<Path> all = Files.walk(run.path())) {
      long bytes = 0;
      for (Path file : all.filter(RunFiles::isPlain).toList()) {
        bytes += Files.size(file);
      }
      return (bytes + MEGABYTE - 1) / MEGABYTE;
    }
  }

  /**
   * Removes a run.
   *
   * @throws UsageException if it is a link, or a process writes to it; nothing is removed then
   */
  @SuppressWarnings("try") // Locks are held, not used.
  static void remove(RunDirectory run) throws IOException {
    rejectLink(run);
    try (RunLock lock = RunLock.training(run);
        RunLock evaluator = RunLock.evaluating(run, Duration.ZERO)) {
      Disk.REAL.delete(lock.run().path());
    }
  }

  /**
   * Packs a run into a ZIP file, compares that with the run's files, and removes the run when the
   * ZIP file is on the disk.
   *
   * @param folder where the file is made
   * @return the file
   * @throws UsageException if a process writes to the run, the run is a link or has other than
   *     plain files, the folder is inside it, or the file exists; nothing is changed then
   */
  @SuppressWarnings("try") // Locks are held, not used.
  static Path archive(RunDirectory run, Path folder) throws IOException {
    rejectLink(run);
    if (real(folder).startsWith(run.path().toRealPath())) {
      throw new UsageException(
          "--out: expected a folder outside the run %s, which is removed, found %s in it; name another",
          run.path(), folder);
    }
    Path target = folder.resolve(run.path().getFileName() + ".zip");
    if (Files.exists(target)) {
      throw new UsageException("--out: expected no file %s, found one; move it away", target);
    }
    try (RunLock lock = RunLock.training(run);
        RunLock evaluator = RunLock.evaluating(run, Duration.ZERO)) {
      List<Path> files = files(lock.run());
      Files.createDirectories(folder);
      AtomicFile.DURABLE.create(
          target,
          part -> {
            pack(run, files, part);
            check(run, files, part);
          });
      Disk.REAL.delete(run.path());
      return target;
    }
  }

  private static void rejectLink(RunDirectory run) throws IOException {
    if (Files.isSymbolicLink(run.path())) {
      throw new UsageException(
          "%s: expected a run's own directory, found a symbolic link; name %s",
          run.path(), run.path().toRealPath());
    }
  }

  /** Where a folder is or will be, without links. */
  private static Path real(Path folder) throws IOException {
    Path whole = folder.toAbsolutePath();
    Path existing = whole;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing.toRealPath().resolve(existing.relativize(whole)).normalize();
  }

  static void pack(RunDirectory run, List<Path> files, Path to) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(to, StandardOpenOption.CREATE_NEW))) {
      for (Path file : files) {
        zip.putNextEntry(new ZipEntry(name(run, file)));
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }

  /** Name of a file in the archive of its run. */
  private static String name(RunDirectory run, Path file) {
    return run.path().getParent().relativize(file).toString();
  }

  /**
   * Compares an archive with the files in it, byte by byte.
   *
   * @throws IOException if they are not the same
   */
  static void check(RunDirectory run, List<Path> files, Path archive) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(archive)) {
      for (Path file : files) {
        Path packed = zip.getPath(name(run, file));
        boolean missing = Files.notExists(packed);
        if (missing || Files.mismatch(packed, file) >= 0) {
          throw new IOException(
              "%s: expected the content of %s in it, found %s; the run is left as it is"
                  .formatted(archive, file, missing ? "no such file" : "another"));
        }
      }
    }
  }

  /**
   * The files of a run but its locks.
   *
   * @throws UsageException naming what is neither a plain file nor a directory
   */
  private static List<Path> files(RunDirectory run) throws IOException {
    try (Stream<Path> all = Files.walk(run.path())) {
      Map<Boolean, List<Path>> plain =
          all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
              .filter(file -> !RunLock.isLock(run, file))
              .sorted()
              .collect(Collectors.partitioningBy(RunFiles::isPlain));
      List<Path> others = plain.get(false);
      if (!others.isEmpty()) {
        throw new UsageException(
            others.stream()
                .map(
                    file ->
                        file
                            + ": expected a plain file, found a link or a special file; move it"
                            + " away")
                .toList());
      }
      return plain.get(true);
    }
  }

  private static boolean isPlain(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }
}
