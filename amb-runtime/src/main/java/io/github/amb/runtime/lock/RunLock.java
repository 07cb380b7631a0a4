package io.github.amb.runtime.lock;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Folder;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.thread.Daemon;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The right to write to a run directory, which one process has at a time, for itself and its first
 * rank. It is a file in the directory, created by an atomic call; its holder writes a growing
 * number to it every two seconds. No lock of the file system is needed.
 *
 * <p>Files have ascending numbers, and the highest one counts. A file is removed only by the holder
 * of a higher one. Of all processes that find a lock free or abandoned, exactly one creates the
 * next file. See ADR 10.
 */
public final class RunLock implements AutoCloseable {
  /** Environment variable by which a launcher passes its lock's token to the first rank. */
  public static final String VARIABLE = "AMB_RUN_LOCK";

  /** Environment variable by which a launcher tells the first rank where others watch it. */
  private static final String ADDRESS = "AMB_RUN_ADDRESS";

  private static final String TRAINING = ".lock-";
  private static final String EVALUATING = ".evaluator-lock-";
  private static final long POLL_MILLIS = 50;

  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** A longer wait for another machine's lock is logged. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  /**
   * Intervals and limits of a lock.
   *
   * @param beat interval between two heartbeats
   * @param silence time without a heartbeat after which a holder on another machine counts as gone
   * @param orphan limit for the end of a rank whose launcher was killed
   */
  record Timing(Duration beat, Duration silence, Duration orphan) {
    static final Timing REAL =
        new Timing(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(10));
  }

  private final RunDirectory run;
  private final String name;
  private final Timing timing;
  private final Path file;
  private final String token;
  private final boolean writes;
  private final CountDownLatch released = new CountDownLatch(1);
  private Consumer<String> lost;
  private Consumer<String> warnings = RunLock::print;
  private long beats;
  private Door door;

  /**
   * @param writes whether this process writes to the lock's file; a rank does not
   */
  private RunLock(
      RunDirectory run, String name, Timing timing, long number, String token, boolean writes) {
    this.run = run;
    this.name = name;
    this.timing = timing;
    file = run.path().resolve(name + number);
    this.token = token;
    this.writes = writes;
  }

  /**
   * Takes the lock for training, resuming, or exporting into the run.
   *
   * @throws UsageException if another process has it, or the directory has symbolic links or is not
   *     writable; nothing has been changed then
   */
  public static RunLock training(RunDirectory run) {
    return training(run, RunLock::print, RunLock::end);
  }

  /**
   * Takes the lock for a program that does not end with it.
   *
   * @param warnings receives lines for people
   * @param lost receives a line when another process has taken the lock; must stop all writing
   * @throws UsageException if another process has it, or the directory has symbolic links or is not
   *     writable; nothing has been changed then
   */
  public static RunLock training(
      RunDirectory run, Consumer<String> warnings, Consumer<String> lost) {
    try {
      Folder.entries(run.path()).forEach(RunLock::rejectLink);
    } catch (IOException e) {
      throw cannot(run, e);
    }
    RunLock lock = acquire(run, TRAINING, Timing.REAL, Duration.ZERO, warnings);
    lock.warnings = warnings;
    return lock.beating(lost);
  }

  /**
   * Waits until no process trains the run, on any machine.
   *
   * @param notes receives a line if its processes have ended on another machine
   */
  public static void await(RunDirectory run, Consumer<String> notes) {
    acquire(run, TRAINING, Timing.REAL, FOREVER, notes).close();
  }

  /**
   * Lets programs on other machines see the end of this launcher and its first rank at once.
   *
   * @param address of this host, which they reach; a loopback address for no others
   * @return environment variables of that rank
   */
  public Map<String, String> open(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return Map.of(VARIABLE, token);
    }
    open(Door.Owner.LAUNCHER, address);
    return Map.of(VARIABLE, token, ADDRESS, address.getHostAddress());
  }

  private void open(Door.Owner owner, InetAddress address) {
    try {
      door = new Door(file, owner, address);
    } catch (IOException e) {
      // They wait until its heartbeats stop.
    }
  }

  /** Whether a process trains or resumes the run, or may do so on another machine. */
  public static boolean isHeld(RunDirectory run) {
    try {
      Lease lease = Lease.newest(run.path(), TRAINING);
      return lease != null && !lease.isFree();
    } catch (IOException | UsageException e) {
      return false;
    }
  }

  /** Whether a file of a run is one of its locks, which mean nothing elsewhere. */
  public static boolean isLock(RunDirectory run, Path file) {
    String name = file.getFileName().toString();
    return file.getParent().equals(run.path())
        && Stream.of(TRAINING, EVALUATING).anyMatch(lock -> Lease.isOf(lock, Door.lock(name)));
  }

  /**
   * Takes the lock of the run's {@code evaluator.jsonl}, a separate one, as an evaluator works
   * beside training.
   *
   * @param run the run's directory
   * @param patience how long to wait for an evaluator that is about to end
   * @throws UsageException if another process has it, or the directory has symbolic links or is not
   *     writable
   */
  public static RunLock evaluating(RunDirectory run, Duration patience) {
    rejectLink(run.evaluatorLog());
    return acquire(run, EVALUATING, Timing.REAL, patience, RunLock::print).beating(RunLock::end);
  }

  /**
   * Relies on the lock of the launcher that has started this rank, and watches that it has it.
   *
   * @param run the run's directory
   * @param variables this process's environment
   * @throws IOException if that lock does not exist any more
   */
  public static RunLock join(RunDirectory run, Map<String, String> variables) throws IOException {
    RunLock lock = join(run, variables.get(VARIABLE), Timing.REAL).beating(RunLock::end);
    String address = variables.get(ADDRESS);
    if (address != null) {
      lock.open(Door.Owner.MASTER, InetAddress.getByName(address));
    }
    return lock;
  }

  static RunLock join(RunDirectory run, String token, Timing timing) throws IOException {
    Lease lease = Lease.newest(run.path(), TRAINING);
    if (lease == null || token == null || !lease.isOf(token)) {
      throw new IOException(
          "%s: expected the lock of this rank's launcher, found %s"
              .formatted(run.path(), lease == null ? "none" : "that of " + lease.who()));
    }
    return new RunLock(run, TRAINING, timing, lease.number(), token, false);
  }

  private static void rejectLink(Path file) {
    if (Files.isSymbolicLink(file)) {
      throw new UsageException(
          file
              + ": expected a file or directory of the run, found a symbolic link, which AMB does not"
              + " follow; replace the link by what it points to");
    }
  }

  private static UsageException cannot(RunDirectory run, IOException e) {
    return new UsageException(
        "%s: expected a writable run directory, found %s: %s",
        run.path(), e.getClass().getSimpleName(), e.getMessage());
  }

  /** Takes the lock, without heartbeats yet. */
  static RunLock acquire(
      RunDirectory run, String name, Timing timing, Duration patience, Consumer<String> warnings) {
    Door.Watch doors = null;
    try {
      long start = System.nanoTime();
      Lease watched = null;
      long watchedSince = start;
      boolean told = false;
      while (true) {
        Lease lease = Lease.newest(run.path(), name);
        long here = lease == null ? 0 : lease.here();
        // A holder on another machine that has stopped its heartbeats. Only a change of its file
        // shows that it lives, as two machines' clocks cannot be compared.
        boolean silent =
            here == 0 && Objects.equals(lease, watched) && passed(watchedSince, timing.silence);
        Path file = run.path().resolve(name + (lease == null ? 0 : lease.number()));
        if (doors == null || !doors.isOf(file)) {
          close(doors);
          doors = new Door.Watch(file, patience == FOREVER ? warnings : line -> {});
        }
        boolean ended = here == 0 && doors.sawTheEnd();
        if (ended && !lease.isFree()) {
          warnings.accept("%s has ended".formatted(lease.who()));
        }
        if (lease == null || lease.isFree() && here == 0 || silent || ended) {
          RunLock lock = take(run, name, timing, lease == null ? 1 : lease.number() + 1);
          if (lock != null) {
            return lock;
          }
          continue;
        }
        boolean beats = here == 0 && watched != null && lease.isBeatOf(watched);
        // A rank whose launcher has ended is about to end, too.
        Duration limit = lease.isFree() ? timing.orphan : patience;
        if ((here != 0 || beats) && passed(start, limit)) {
          throw new UsageException(
              "%s: expected a run that no other process writes to, found %s; wait for its end, or end it",
              run.path(), lease.isFree() ? Lease.process(here, BootIdentity.HOST) : lease.who());
        }
        if (!lease.equals(watched)) {
          watched = lease;
          watchedSince = System.nanoTime();
        } else if (!told && here == 0 && patience != FOREVER && passed(watchedSince, QUIET)) {
          told = true;
          warnings.accept(
              "%s: %s holds the lock of this run; waiting up to %d s for its heartbeat"
                  .formatted(run.path(), lease.who(), timing.silence.toSeconds()));
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (IOException e) {
      throw cannot(run, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UsageException(run.path() + ": interrupted while waiting for its lock");
    } finally {
      close(doors);
    }
  }

  private static void close(Door.Watch doors) {
    if (doors != null) {
      doors.close();
    }
  }

  private static boolean passed(long since, Duration limit) {
    return System.nanoTime() - since >= limit.toNanos();
  }

  /** Creates the file of that number; null if another process was faster. */
  private static RunLock take(RunDirectory run, String name, Timing timing, long number)
      throws IOException {
    if (!Lease.isOf(name, name + number)) {
      throw new UsageException(
          "%s: expected a lock with a lower number; remove it",
          run.path().resolve(name + (number - 1)));
    }
    RunLock lock = new RunLock(run, name, timing, number, UUID.randomUUID().toString(), true);
    try {
      Files.createFile(lock.file);
    } catch (FileAlreadyExistsException e) {
      return null;
    }
    boolean mine = false;
    try {
      lock.write(Lease.held(lock.token, 0));
      mine = Lease.newest(run.path(), name).isOf(lock.token);
    } catch (NoSuchFileException e) {
      // The number was out of date: the holder of a later one has removed the file.
      return null;
    } finally {
      if (!mine) {
        Files.deleteIfExists(lock.file);
      }
    }
    return mine ? lock.withoutOlder(number) : null;
  }

  /** Removes the files with lower numbers, which do not count any more. */
  private RunLock withoutOlder(long number) {
    try {
      for (long older : Lease.numbers(run.path(), name)) {
        if (older < number) {
          Path file = run.path().resolve(name + older);
          for (Door.Owner owner : Door.Owner.values()) {
            Files.deleteIfExists(owner.file(file));
          }
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      // They are not read either.
    }
    return this;
  }

  /**
   * Starts the heartbeats.
   *
   * @param lost receives a message when another process has taken the lock; must stop all writing
   */
  RunLock beating(Consumer<String> lost) {
    this.lost = lost;
    Daemon.start("run-lock", this::beat);
    return this;
  }

  private void beat() {
    boolean warned = false;
    try {
      while (!released.await(timing.beat().toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          step();
        } catch (IOException e) {
          // The next beat may succeed; a missing directory is noticed when records are written.
          if (!warned && Files.isDirectory(run.path())) {
            warnings.accept("%s: cannot write its lock: %s".formatted(run.path(), e));
          }
          warned = true;
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private synchronized void step() throws IOException {
    if (released.getCount() == 0) {
      return;
    }
    Lease newest = Lease.newest(run.path(), name);
    if (newest != null && !newest.isOf(token)) {
      released.countDown();
      lost.accept(
          "%s: %s took the lock of this run, as this process sent no heartbeat for %s s; this process ends now"
              .formatted(run.path(), newest.who(), timing.silence().toSeconds()));
      return;
    }
    write(Lease.held(token, ++beats));
  }

  private static void print(String line) {
    System.err.println("amb: " + line);
  }

  /** Ends this process at once: nothing may be written any more, not even how the run ended. */
  public static void end(String message) {
    print(message);
    System.err.flush();
    Runtime.getRuntime().halt(1);
  }

  /**
   * Writes a line; closes the file each time, as a network file system may delay writes until then.
   */
  private void write(byte[] line) throws IOException {
    if (!writes) {
      return;
    }
    try (FileChannel channel =
        FileChannel.open(
            BoundedFile.expectFileToWrite(file),
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
    }
  }

  /** The locked run. */
  public RunDirectory run() {
    return run;
  }

  /** The token that a rank needs for {@link #join}. */
  public String token() {
    return token;
  }

  /** Releases the lock, at once for all machines. The second call does nothing. */
  @Override
  public synchronized void close() {
    if (released.getCount() == 0) {
      return;
    }
    released.countDown();
    try {
      write(Lease.line(Lease.FREE));
      if (door != null) {
        door.close();
      }
    } catch (IOException e) {
      // Where the directory is gone, there is no lock; otherwise the end of this process frees it.
      if (Files.isDirectory(run.path())) {
        warnings.accept("%s: cannot free its lock: %s".formatted(run.path(), e));
      }
    }
  }
}
