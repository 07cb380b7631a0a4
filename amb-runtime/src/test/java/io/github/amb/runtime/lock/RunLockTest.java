package io.github.amb.runtime.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RunLockTest {
  private static final String NAME = ".lock-";
  private static final Duration BEAT = Duration.ofMillis(10);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final RunLock.Timing TIMING = new RunLock.Timing(BEAT, LONG, Duration.ZERO);

  /** A number that no process of this machine has. */
  private static final long NO_PID = 999_999_999;

  @TempDir Path directory;
  private RunDirectory run;

  @BeforeEach
  void openRun() {
    run = new RunDirectory(directory);
  }

  private RunLock acquire() {
    return acquire(TIMING);
  }

  private RunLock acquire(RunLock.Timing timing) {
    return RunLock.acquire(run, NAME, timing, Duration.ZERO, warning -> {});
  }

  /** Leaves a lock as another process would. */
  private void leave(int number, String... lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      text.append(line);
    }
    Files.writeString(directory.resolve(NAME + number), text);
  }

  private static String line(long beat, long pid, String start, String machine) {
    return new String(Lease.held("t", beat, pid, start, machine, "far"));
  }

  private static String gone() {
    return line(1, NO_PID, "1", BootIdentity.ID);
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }

  private void assertRejected(String holder) throws IOException {
    Map<String, String> before = files();
    String message = assertThrows(UsageException.class, this::acquire).getMessage();
    assertTrue(message.contains("found " + holder), message);
    assertEquals(1, message.lines().count());
    assertEquals(before.keySet(), files().keySet());
  }

  @Test
  void aSecondLockIsRejectedWithItsHolder() throws IOException {
    try (RunLock lock = acquire()) {
      assertNotNull(lock.token());
      assertRejected(
          "process %d of host %s".formatted(ProcessHandle.current().pid(), BootIdentity.HOST));
    }
  }

  @Test
  void aLockThatIsFreeIsTaken() {
    acquire().close();
    acquire().close();
    acquire().close();
  }

  @Test
  void oneFileIsLeftHoweverOftenItIsTaken() throws IOException {
    acquire().close();
    acquire().close();
    assertEquals(List.of(".lock-2"), List.copyOf(files().keySet()));
  }

  @Test
  void aLockOfAProcessThatWasKilledIsTaken() throws IOException {
    leave(7, gone());
    acquire().close();
  }

  /** The number has been given to another process since. */
  @Test
  void anotherProcessOfThatNumberDoesNotCount() throws IOException {
    leave(7, line(1, ProcessHandle.current().pid(), "1", BootIdentity.ID));
    acquire().close();
  }

  /** Their machine closes the connections of processes that end. */
  @Test
  void theEndOfBothProcessesOnAnotherMachineIsSeenAtOnce() throws Exception {
    leave(7, line(1, 1, "1", "elsewhere"));
    Path lock = directory.resolve(NAME + 7);
    InetAddress here = InetAddress.getLoopbackAddress();
    ExecutorService other = Executors.newSingleThreadExecutor();
    List<String> notes = new CopyOnWriteArrayList<>();
    Door launcher = new Door(lock, Door.Owner.LAUNCHER, here);
    Door master = new Door(lock, Door.Owner.MASTER, here);
    try {
      Future<RunLock> waiting =
          other.submit(() -> RunLock.acquire(run, NAME, TIMING, LONG, notes::add));
      awaitGuest(launcher);
      awaitGuest(master);
      launcher.close();
      assertThrows(TimeoutException.class, () -> waiting.get(300, TimeUnit.MILLISECONDS));
      master.close();
      waiting.get().close();
      assertEquals(List.of("process 1 of host far has ended"), notes);
    } finally {
      launcher.close();
      master.close();
      other.shutdownNow();
    }
  }

  private static void awaitGuest(Door door) throws InterruptedException {
    while (door.guests() == 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** A broken connection is not the end of a process. */
  @Test
  void aDoorThatOpensAgainBelongsToALivingProcess() throws Exception {
    leave(7, line(1, 1, "1", "elsewhere"));
    Path lock = directory.resolve(NAME + 7);
    InetAddress here = InetAddress.getLoopbackAddress();
    ExecutorService other = Executors.newSingleThreadExecutor();
    Door launcher = new Door(lock, Door.Owner.LAUNCHER, here);
    Door master = new Door(lock, Door.Owner.MASTER, here);
    try {
      Future<RunLock> waiting =
          other.submit(() -> RunLock.acquire(run, NAME, TIMING, LONG, note -> {}));
      for (Door door : List.of(launcher, master)) {
        awaitGuest(door);
        door.dismiss();
        awaitGuest(door);
      }
      assertThrows(TimeoutException.class, () -> waiting.get(300, TimeUnit.MILLISECONDS));
    } finally {
      launcher.close();
      master.close();
      other.shutdownNow();
    }
  }

  @Test
  @Tag("system")
  void aRankThatOutlivesItsLauncherIsWaitedFor() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put(RunLock.VARIABLE, "t");
    Process rank = builder.start();
    leave(7, gone());
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      var patient = new RunLock.Timing(BEAT, LONG, LONG);
      Future<RunLock> waiting = other.submit(() -> acquire(patient));
      assertThrows(TimeoutException.class, () -> waiting.get(300, TimeUnit.MILLISECONDS));
      assertRejected("process " + rank.pid());
      rank.destroyForcibly().waitFor();
      waiting.get().close();
    } finally {
      rank.destroyForcibly();
      other.shutdownNow();
    }
  }

  @Test
  void aLockOfAnotherMachineThatIsSilentIsTaken() throws IOException {
    leave(7, line(1, ProcessHandle.current().pid(), "1", "elsewhere"));
    acquire(new RunLock.Timing(BEAT, Duration.ofMillis(200), Duration.ZERO)).close();
  }

  @Test
  void aLockThatWasNeverWrittenIsTakenInTheEnd() throws IOException {
    for (String text :
        List.of("", "amb-lock held", "\0\0\0", "{}\n", "amb-lock held a b c d e f\n")) {
      leave(7, text);
      acquire(new RunLock.Timing(BEAT, Duration.ofMillis(200), Duration.ZERO)).close();
      Files.delete(directory.resolve(".lock-8"));
    }
  }

  /**
   * Rejected at the first heartbeat that is seen, long before the lock would count as abandoned.
   */
  @Test
  void aBeatingLockOfAnotherMachineHolds() throws Exception {
    leave(7, line(0, NO_PID, "1", "elsewhere"));
    Thread beating =
        new Thread(
            () -> {
              try {
                for (long beat = 1; ; beat++) {
                  Files.writeString(
                      directory.resolve(NAME + 7),
                      line(beat, NO_PID, "1", "elsewhere"),
                      StandardOpenOption.WRITE);
                  TimeUnit.MILLISECONDS.sleep(5);
                }
              } catch (IOException | InterruptedException e) {
                // The test is over.
              }
            });
    beating.start();
    try {
      assertRejected("process %d of host far".formatted(NO_PID));
    } finally {
      beating.interrupt();
      beating.join();
    }
  }

  @Test
  void ofManyThatFindALockLeftBehindOneTakesIt() throws Exception {
    int contenders = 8;
    ExecutorService threads = Executors.newFixedThreadPool(contenders);
    try {
      for (int round = 0; round < 50; round++) {
        leave(round * 10 + 1, gone());
        CyclicBarrier start = new CyclicBarrier(contenders);
        List<Callable<RunLock>> tasks = new ArrayList<>();
        for (int i = 0; i < contenders; i++) {
          tasks.add(
              () -> {
                start.await();
                try {
                  return acquire();
                } catch (UsageException e) {
                  return null;
                }
              });
        }
        List<RunLock> winners = new ArrayList<>();
        for (Future<RunLock> task : threads.invokeAll(tasks)) {
          if (task.get() != null) {
            winners.add(task.get());
          }
        }
        assertEquals(1, winners.size(), "round " + round);
        winners.get(0).close();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each holder raises a number by one, in two steps. */
  @Test
  void noTwoHaveItAtOnce() throws Exception {
    int contenders = 6;
    int[] counter = new int[1];
    ExecutorService threads = Executors.newFixedThreadPool(contenders);
    var patient = new RunLock.Timing(BEAT, LONG, Duration.ZERO);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < contenders; i++) {
        tasks.add(
            () -> {
              for (int turn = 0; turn < 50; turn++) {
                try (RunLock lock = RunLock.acquire(run, NAME, patient, LONG, warning -> {})) {
                  assertNotNull(lock.token());
                  int before = counter[0];
                  Thread.yield();
                  counter[0] = before + 1;
                }
              }
              return null;
            });
      }
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(50 * contenders, counter[0]);
  }

  @Test
  void theFormerHolderLearnsOfTheNewOne() throws Exception {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (RunLock lock = acquire().beating(told::add)) {
      assertNotNull(lock.token());
      leave(9, line(1, NO_PID, "1", "elsewhere"));
      String message = told.poll(LONG.toSeconds(), TimeUnit.SECONDS);
      assertTrue(
          message.contains("process %d of host far took the lock".formatted(NO_PID)), message);
    }
    assertTrue(files().get(".lock-9").startsWith("amb-lock held"), files().toString());
  }

  /** Two versions of the program: the older one's rank wrote a line below its launcher's. */
  @Test
  void furtherLinesDoNotCount() throws IOException {
    leave(7, gone(), line(1, ProcessHandle.current().pid(), "1", "elsewhere"));
    acquire().close();
    leave(9, new String(Lease.line(Lease.FREE)), new String(Lease.line(Lease.FREE)));
    acquire().close();
  }

  @Test
  void aRankLearnsThatItsLauncherHasLostTheLock() throws Exception {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (RunLock launcher = acquire();
        RunLock rank = RunLock.join(run, launcher.token(), TIMING).beating(told::add)) {
      Map<String, String> before = files();
      leave(9, line(1, NO_PID, "1", "elsewhere"));
      assertNotNull(told.poll(LONG.toSeconds(), TimeUnit.SECONDS));
      assertEquals(launcher.run(), rank.run());
      assertEquals(before.get(".lock-1"), files().get(".lock-1"), "a rank has written");
    }
  }

  @Test
  void aHolderBeats() throws Exception {
    try (RunLock lock = acquire().beating(message -> {})) {
      String before = files().get(".lock-1");
      while (files().get(".lock-1").equals(before)) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertTrue(Lease.newest(directory, NAME).isOf(lock.token()));
    }
  }

  @Test
  void aRankJoinsItsLaunchersLockAlone() throws IOException {
    assertThrows(IOException.class, () -> RunLock.join(run, "t", TIMING));
    try (RunLock launcher = acquire()) {
      assertThrows(IOException.class, () -> RunLock.join(run, "t", TIMING));
      assertThrows(IOException.class, () -> RunLock.join(run, null, TIMING));
      try (RunLock rank = RunLock.join(run, launcher.token(), TIMING)) {
        assertEquals(launcher.token(), rank.token());
      }
      assertRejected("process " + ProcessHandle.current().pid());
    }
    acquire().close();
  }

  @Test
  void nothingIsWrittenThroughALinkInPlaceOfALock() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "mine");
    Files.createSymbolicLink(directory.resolve(".lock-3"), precious);
    assertThrows(UsageException.class, this::acquire);
    assertEquals("mine", Files.readString(precious));
  }

  @Test
  void aRunWithALinkInItIsRejected() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("master.jsonl"), Path.of("/nowhere"));
    var error = assertThrows(UsageException.class, () -> RunLock.training(run));
    assertTrue(error.getMessage().startsWith(link + ": expected a file"), error.getMessage());
  }

  @Test
  void anEvaluatorWorksBesideTraining() {
    try (RunLock training = RunLock.training(run);
        RunLock evaluating = RunLock.evaluating(run, Duration.ZERO)) {
      assertEquals(training.run(), evaluating.run());
      assertThrows(UsageException.class, () -> RunLock.evaluating(run, Duration.ZERO));
      assertThrows(UsageException.class, () -> RunLock.training(run));
    }
  }

  @Test
  void aMissingDirectoryIsRejected() {
    RunDirectory absent = new RunDirectory(directory.resolve("absent"));
    var error = assertThrows(UsageException.class, () -> RunLock.training(absent));
    assertTrue(
        error.getMessage().contains("expected a writable run directory"), error.getMessage());
  }
}
