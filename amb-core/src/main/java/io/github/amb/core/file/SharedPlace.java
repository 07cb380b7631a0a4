package io.github.amb.core.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Files in places that other users can write to: the temporary directory, a file system in memory,
 * a cache. What is there is made by this class, or checked by it before it is used or removed.
 * {@code SECURITY.md} has a table of all such places.
 *
 * <p>On a system without owners and modes every file passes the checks.
 */
public final class SharedPlace {
  private static final boolean UNIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

  private static final String TEMPORARY = "java.io.tmpdir";
  private static final String PROGRAMS = "amb-native-";
  private static final int ROOT = 0;
  private static final int UNKNOWN = -1;
  private static final int USER = UNIX ? user() : ROOT;

  // The bits of a mode, as in stat(2).
  private static final int KIND = 0xf000;
  private static final int LINK = 0xa000;
  private static final int SOCKET = 0xc000;
  private static final int DIRECTORY = 0x4000;
  private static final int STICKY = 0x200;
  private static final int GROUP_WRITES = 0x10;
  private static final int OTHERS_WRITE = 0x2;

  private SharedPlace() {}

  private record Status(int uid, int mode) {
    static Status of(Path path) throws IOException {
      if (!UNIX) {
        return new Status(ROOT, 0);
      }
      Map<String, Object> found =
          Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
      return new Status((Integer) found.get("uid"), (Integer) found.get("mode"));
    }

    /** Whether none of the users that {@code writers} names can replace it or what is in it. */
    boolean keepsOut(int writers) {
      boolean sticky = (mode & KIND) == DIRECTORY && (mode & STICKY) != 0;
      return (mode & KIND) != LINK && ((mode & writers) == 0 || sticky);
    }

    boolean isTrusted(int writers) {
      return (uid == USER || uid == ROOT) && keepsOut(writers);
    }
  }

  /** The user as the file system sees it, which may be another one than the process's. */
  private static int user() {
    try {
      Path probe = Files.createTempFile("amb-", null);
      try {
        return Status.of(probe).uid();
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException e) {
      try {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      } catch (IOException unknown) {
        return UNKNOWN; // Nobody's files are this user's.
      }
    }
  }

  /**
   * Makes a new directory in the temporary one. This user alone can enter it.
   *
   * @param prefix beginning of its name
   */
  public static Path fresh(String prefix) throws IOException {
    return Files.createTempDirectory(prefix);
  }

  /**
   * Whether a file or directory is this user's own, so that it may be removed: no link, and not for
   * everybody to write to.
   *
   * @return false also if it does not exist
   */
  public static boolean isOwn(Path path) {
    return is(path, status -> status.uid() == USER && status.keepsOut(OTHERS_WRITE));
  }

  private static boolean is(Path path, Predicate<Status> wanted) {
    return Reading.orElse(false, () -> wanted.test(Status.of(path)));
  }

  /** Whether a file is this user's own and a socket; false also if it does not exist. */
  public static boolean isOwnSocket(Path path) {
    return is(path, status -> status.uid() == USER && (!UNIX || (status.mode() & KIND) == SOCKET));
  }

  /**
   * Whether a file's content may be used: it and its directory are this user's or root's, it is no
   * link, and neither is for everybody to write to.
   *
   * @return false also if it does not exist
   */
  public static boolean isTrusted(Path file) {
    return Reading.orElse(
        false,
        () ->
            Status.of(file).isTrusted(OTHERS_WRITE)
                && isTrustedFolder(file.toAbsolutePath().getParent()));
  }

  /**
   * Whether a directory is this user's or root's, and not for everybody to write to. A link to one
   * is such a directory if it is this user's or root's, too.
   *
   * @throws IOException if it cannot be looked at
   */
  public static boolean isTrustedFolder(Path folder) throws IOException {
    int uid = Status.of(folder).uid();
    return (uid == USER || uid == ROOT) && Status.of(folder.toRealPath()).isTrusted(OTHERS_WRITE);
  }

  /**
   * A directory of this user alone from which native code may be loaded. It is the first candidate
   * that nobody else can change and from which the system runs programs, or one in the temporary
   * directory. If even that is somebody else's, it is a fresh one. Such ones are removed by a later
   * call after a day.
   *
   * @param candidates directories that need not exist; the chosen one is created
   * @throws IOException if no directory can be created
   */
  public static Path forPrograms(List<Path> candidates) throws IOException {
    for (Path candidate : candidates) {
      if (holdsPrograms(candidate)) {
        return candidate.toAbsolutePath();
      }
    }
    Path usual = Path.of(System.getProperty(TEMPORARY), PROGRAMS + USER);
    if (holdsPrograms(usual)) {
      return usual;
    }
    removeOld(usual.getParent());
    return fresh(PROGRAMS);
  }

  /** A process that loaded native code from a removed directory keeps it. */
  private static void removeOld(Path temporary) {
    Instant before = Instant.now().minus(1, ChronoUnit.DAYS);
    try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PROGRAMS + "*")) {
      for (Path directory : found) {
        if (isOwn(directory) && Files.getLastModifiedTime(directory).toInstant().isBefore(before)) {
          Disk.REAL.delete(directory);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // What is left stays until the next call.
    }
  }

  private static boolean holdsPrograms(Path directory) {
    try {
      makeOwn(directory);
      if (!isOwn(directory)) {
        return false;
      }
      for (Path at = directory.toRealPath(); at != null; at = at.getParent()) {
        if (!Status.of(at).isTrusted(GROUP_WRITES | OTHERS_WRITE)) {
          return false;
        }
      }
      // Where programs may not be run, as in a file system mounted noexec, no file is executable.
      Path probe = Files.createTempFile(directory, "probe", null, permissions("rwx------"));
      try {
        return Files.isExecutable(probe);
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static void makeOwn(Path directory) throws IOException {
    Files.createDirectories(directory.toAbsolutePath().getParent());
    try {
      Files.createDirectory(directory, permissions("rwx------"));
    } catch (FileAlreadyExistsException e) {
      // It is checked like a new one.
    }
  }

  private static FileAttribute<?>[] permissions(String text) {
    return UNIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }
}
