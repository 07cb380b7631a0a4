package io.github.amb.runtime.runs;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.disk.Disk;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Removes and archives run directories that nobody writes to. */
final class RunFiles {
  private static final long MEGABYTE = 1_000_000;

  private RunFiles() {}

  /** Size of a run's files in megabytes, rounded up. */
  static long megabytes(RunDirectory run) throws IOException {
    long bytes = 0;
    for (Path file : files(run)) {
      bytes += Files.size(file);
    }
    return (bytes + MEGABYTE - 1) / MEGABYTE;
  }

  /**
   * Removes a run.
   *
   * @throws UsageException if a process writes to it; nothing is removed then
   */
  static void remove(RunDirectory run) throws IOException {
    try (RunLock lock = RunLock.training(run)) {
      Disk.REAL.delete(lock.run().path());
    }
  }

  /**
   * Packs a run into a ZIP file, reads that back, and removes the run.
   *
   * @param folder where the file is made
   * @return the file
   * @throws UsageException if a process writes to the run, or the file exists; nothing is changed
   *     then
   */
  static Path archive(RunDirectory run, Path folder) throws IOException {
    Path target = folder.resolve(run.path().getFileName() + ".zip");
    if (Files.exists(target)) {
      throw new UsageException(
          "--out: expected no file %s, found one; move it away".formatted(target));
    }
    Files.createDirectories(folder);
    try (RunLock lock = RunLock.training(run)) {
      List<Path> files = files(lock.run());
      Path part = folder.resolve(target.getFileName() + ".part");
      pack(run, files, part);
      check(part, files.size());
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      Disk.REAL.delete(run.path());
      return target;
    }
  }

  private static void pack(RunDirectory run, List<Path> files, Path to) throws IOException {
    Path parent = run.path().getParent();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to))) {
      for (Path file : files) {
        zip.putNextEntry(new ZipEntry(parent.relativize(file).toString()));
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }

  /** Reading an entry to its end compares its checksum. */
  private static void check(Path archive, int files) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      if (zip.size() != files) {
        throw new IOException(
            "%s: expected %d files in it, found %d; the run is left as it is"
                .formatted(archive, files, zip.size()));
      }
      for (ZipEntry entry : new ArrayList<>(zip.stream().toList())) {
        try (InputStream in = zip.getInputStream(entry)) {
          in.skipNBytes(entry.getSize());
        }
      }
    }
  }

  /** Plain files but locks; links are not followed. */
  private static List<Path> files(RunDirectory run) throws IOException {
    try (Stream<Path> all = Files.walk(run.path())) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }
}
