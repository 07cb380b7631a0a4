package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.Superseded;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointDirectoryTest {
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("a.W", Block.Kind.WEIGHT, 0, 2, 3),
              new Block("a.mean", Block.Kind.RUNNING_STATISTIC, 6, 2)));

  @TempDir Path directory;
  private CheckpointDirectory checkpoints;
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void make() {
    checkpoints = new CheckpointDirectory(directory.resolve("checkpoints"), Origin.ANY);
  }

  private static Snapshot snapshot(long step) {
    Snapshot snapshot = new Snapshot(LAYOUT);
    snapshot.step = step;
    snapshot.seconds = step / 2.0;
    snapshot.tested(new EvaluationRecord(0, step, 1.5, 0.5, 10, 0));
    float[] parameters = new float[8];
    Arrays.fill(parameters, step);
    snapshot.master.put(Snapshot.PARAMETERS, parameters);
    snapshot.master.put("update/steps", new long[] {step});
    snapshot.workers.put(1, ResumePoint.placeInData(1, 10 * step));
    return snapshot;
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    checkpoints.write(snapshot(7));
    Checkpoint read = checkpoints.open(7);
    assertEquals(7, read.step());
    assertEquals(3.5, read.manifest().seconds());
    assertEquals(LAYOUT.toString(), read.manifest().layout().toString());
    assertArrayEquals(snapshot(7).parameters(), read.parameters());
    assertArrayEquals(snapshot(7).parameters(), (float[]) read.master().get("parameters/all"));
    assertArrayEquals(new long[] {7}, (long[]) read.master().get("update/steps"));
    ResumePoint point = ResumePoint.of(read, 2);
    assertEquals(70, point.examples(1));
    assertEquals(0, point.examples(2));
    assertEquals(read.manifest().files().get("parameters.npy").sha256(), read.parametersSha256());
  }

  @Test
  void whatMustComeBeforeACheckpointDoes() throws IOException {
    List<List<Long>> before = new ArrayList<>();
    try (CheckpointWriter writer =
        new CheckpointWriter(checkpoints, 3, step -> false, warnings::add)) {
      writer.writeAfter(
          () -> {
            try {
              before.add(checkpoints.steps());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      for (long step = 1; step <= 2; step++) {
        writer.write(snapshot(step), null);
        assertTrue(writer.awaitIdle(TimeUnit.SECONDS.toNanos(60)));
      }
    }
    assertEquals(List.of(List.of(), List.of(1L)), before);
    assertEquals(List.of(1L, 2L), checkpoints.steps());
  }

  @Test
  void closingWaitsForTheWrite() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CheckpointWriter writer = new CheckpointWriter(checkpoints, 3, step -> false, warnings::add);
    writer.writeAfter(
        () -> {
          begun.countDown();
          Waits.uninterrupted(goOn::await);
        });
    writer.write(snapshot(1), null);
    begun.await();
    Thread closing = new Thread(writer::close);
    closing.start();
    while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(closing.isAlive());
    goOn.countDown();
    closing.join();
    assertEquals(List.of(1L), checkpoints.steps());
  }

  @Test
  void theLastFewAndTheBestAreKept() throws IOException {
    for (long step = 1; step <= 5; step++) {
      checkpoints.write(snapshot(step));
      checkpoints.prune(step, 2, none -> false);
    }
    checkpoints.writeBest(snapshot(2));
    checkpoints.writeBest(snapshot(3));
    checkpoints.pruneBest();
    assertEquals(List.of(4L, 5L), checkpoints.steps());
    assertEquals(3, checkpoints.best().orElseThrow().step());
    assertEquals(null, checkpoints.best().orElseThrow().master());
    try (Stream<Path> all = Files.list(directory.resolve("checkpoints"))) {
      assertEquals(3, all.count());
    }
  }

  /** The parameters of each step are the best; a resumed run does not test a saved step again. */
  @Test
  void theBestParametersAreThoseOfASavedStepWheneverThePowerFails() throws IOException {
    AtomicInteger changes = new AtomicInteger();
    int last = 0;
    while (changes.get() >= last) {
      last++;
      changes.set(0);
      int limit = last;
      Disk power =
          () -> {
            if (changes.incrementAndGet() >= limit) {
              throw new IOException("the power has failed");
            }
          };
      Path run = Files.createDirectory(directory.resolve("run-" + last));
      Path path = run.resolve("checkpoints");
      var before = new CheckpointDirectory(path, Origin.ANY, power);
      try (var writer = new CheckpointWriter(before, 1, step -> false, warnings::add)) {
        for (long step = 1; step <= 3; step++) {
          writer.write(snapshot(step), snapshot(step));
          assertTrue(writer.awaitIdle(TimeUnit.SECONDS.toNanos(60)));
        }
      }
      var after = new CheckpointDirectory(path, Origin.ANY);
      long saved = after.steps().stream().mapToLong(step -> step).max().orElse(0);
      after.supersede(saved, new Superseded(new RunDirectory(run), Disk.REAL));
      assertEquals(saved, after.best().map(Checkpoint::step).orElse(0L), "after change " + last);
    }
  }

  private void damage(long step) throws IOException {
    Path file = checkpoints.open(step).path().resolve("parameters.npy");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
  }

  private void write(long step, int keep) throws IOException {
    checkpoints.write(snapshot(step));
    checkpoints.prune(step, keep, none -> false);
  }

  private RunDirectory superseded(int number) {
    return new RunDirectory(directory.resolve("superseded").resolve(Integer.toString(number)));
  }

  @Test
  void aDamagedCheckpointIsMovedAside() throws IOException {
    checkpoints.write(snapshot(1));
    damage(1);
    checkpoints.write(snapshot(1));
    assertEquals(1, checkpoints.open(1).step());
    assertEquals(
        List.of(1L), new CheckpointDirectory(superseded(1).checkpoints(), Origin.ANY).steps());
  }

  @Test
  void aCheckpointOfOtherParametersIsMovedAside() throws IOException {
    checkpoints.write(snapshot(1));
    Snapshot other = snapshot(1);
    other.parameters()[0] = 7;
    checkpoints.write(other);
    assertEquals(7, checkpoints.open(1).parameters()[0]);
    Checkpoint moved = new CheckpointDirectory(superseded(1).checkpoints(), Origin.ANY).open(1);
    assertArrayEquals(snapshot(1).parameters(), moved.parameters());
  }

  @Test
  void oneThatIsWholeIsNotWrittenAgain() throws IOException {
    checkpoints.write(snapshot(1));
    checkpoints.write(snapshot(1));
    assertTrue(Files.notExists(directory.resolve("superseded")));
  }

  @Test
  void damagedOnesAreNeitherCountedNorRemoved() throws IOException {
    for (long step = 1; step <= 4; step++) {
      checkpoints.write(snapshot(step));
    }
    damage(1);
    damage(3);
    checkpoints = new CheckpointDirectory(directory.resolve("checkpoints"), Origin.ANY);
    write(5, 2);
    assertEquals(List.of(1L, 3L, 4L, 5L), checkpoints.steps());
  }

  @Test
  void laterOnesDoNotMakeTheNewOneOld() throws IOException {
    for (long step = 20; step <= 60; step += 20) {
      checkpoints.write(snapshot(step));
    }
    write(7, 1);
    write(14, 1);
    assertEquals(List.of(14L, 20L, 40L, 60L), checkpoints.steps());
  }

  @Test
  void someThatAreWantedStay() throws IOException {
    long newest = CheckpointDirectory.MAX_WANTED + 4;
    for (long step = 1; step <= newest; step++) {
      checkpoints.write(snapshot(step));
    }
    assertEquals(List.of(9L, 2L, 1L), checkpoints.prune(newest, 1, step -> step != 9));
  }

  @Test
  void whatIsOfAnotherTrajectoryIsMovedAside() throws IOException {
    for (long step = 1; step <= 4; step++) {
      checkpoints.write(snapshot(step));
    }
    checkpoints.writeBest(snapshot(3));
    Superseded aside = new Superseded(new RunDirectory(directory), Disk.REAL);
    checkpoints.supersede(2, aside);
    assertEquals(List.of(1L, 2L), checkpoints.steps());
    assertTrue(checkpoints.best().isEmpty());
    assertEquals(superseded(1).path(), aside.place().orElseThrow());
    var moved = new CheckpointDirectory(superseded(1).checkpoints(), Origin.ANY);
    assertEquals(List.of(3L, 4L), moved.steps());
    assertEquals(3, moved.best().orElseThrow().step());
  }

  @Test
  void damagedBestParametersAreNotRemoved() throws IOException {
    checkpoints.writeBest(snapshot(2));
    Path file = directory.resolve("checkpoints/best-000000002/parameters.npy");
    Files.write(file, new byte[1]);
    checkpoints.writeBest(snapshot(3));
    checkpoints.write(snapshot(3));
    checkpoints.pruneBest();
    assertTrue(Files.exists(file));
    assertEquals(3, checkpoints.best().orElseThrow().step());
  }

  /** A change of the files by another program is noticed before the checkpoint gets its name. */
  @Test
  void whatCannotBeReadBackIsNotWritten() throws IOException {
    checkpoints.write(snapshot(1));
    Path unfinished = directory.resolve("checkpoints/.unfinished-step-000000002/master.npz");
    Disk lying =
        () -> {
          if (Files.exists(unfinished)) {
            Files.write(unfinished, new byte[1]);
          }
        };
    var disk = new CheckpointDirectory(directory.resolve("checkpoints"), Origin.ANY, lying);
    assertThrows(IOException.class, () -> disk.write(snapshot(2)));
    assertEquals(List.of(1L), checkpoints.steps());
  }

  /** After a kill at any change of the disk, the earlier or the later checkpoint is intact. */
  @Test
  void aKillWhileOneIsReplacedLeavesOneThatIsWhole() throws IOException {
    int changes = Integer.MAX_VALUE;
    for (int change = 1; change <= changes; change++) {
      Path place = directory.resolve("killed-" + change + "/checkpoints");
      new CheckpointDirectory(place, Origin.ANY).write(snapshot(1));
      Snapshot other = snapshot(1);
      other.parameters()[0] = 7;
      int[] left = {change};
      Disk killed =
          () -> {
            if (--left[0] <= 0) {
              throw new IOException("killed");
            }
          };
      try {
        new CheckpointDirectory(place, Origin.ANY, killed).write(other);
        changes = change;
      } catch (IOException e) {
        // Killed.
      }
      Path moved = place.resolveSibling("superseded/1/checkpoints");
      boolean here = new CheckpointDirectory(place, Origin.ANY).latest(warnings::add).isPresent();
      boolean there = new CheckpointDirectory(moved, Origin.ANY).latest(warnings::add).isPresent();
      assertTrue(here || there, "change " + change);
    }
    assertTrue(changes > 8, "changes: " + changes);
  }

  /** Every file of the newest checkpoint is truncated, changed in one bit, or removed. */
  @Test
  void aDamagedCheckpointIsSkipped() throws IOException {
    checkpoints.write(snapshot(1));
    checkpoints.write(snapshot(2));
    Path newest = checkpoints.open(2).path();
    List<Path> files;
    try (Stream<Path> all = Files.list(newest)) {
      files = all.toList();
    }
    assertEquals(5, files.size());
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(whole, whole.length - 1));
      assertLeftOut(file);
      for (int i = 0; i < whole.length; i += 7) {
        byte[] flipped = whole.clone();
        flipped[i] ^= (byte) (1 << i % 8);
        Files.write(file, flipped);
        assertLeftOut(file);
      }
      Files.delete(file);
      assertLeftOut(file);
      Files.write(file, whole);
      assertEquals(2, checkpoints.latest(warnings::add).orElseThrow().step());
    }
  }

  private void assertLeftOut(Path file) throws IOException {
    warnings.clear();
    assertEquals(1, checkpoints.latest(warnings::add).orElseThrow().step());
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains(file.getParent().toString()), warnings.get(0));
  }

  /** As versions up to 0.1 wrote them for some networks. */
  @Test
  void nonFiniteParametersAreSkipped() throws IOException {
    checkpoints.write(snapshot(1));
    Snapshot spoiled = snapshot(2);
    spoiled.parameters()[7] = Float.NaN;
    checkpoints.write(spoiled);
    ResumePoint point = checkpoints.latest(c -> ResumePoint.of(c, 1), warnings::add).orElseThrow();
    assertEquals(1, point.step());
    assertEquals(
        List.of(
            "skipped a checkpoint: %s: block a.mean, entry 1: expected a finite number, found NaN"
                .formatted(checkpoints.open(2).path().resolve("parameters.npy"))),
        warnings);
  }

  /** A crash during writing leaves a directory of another name, which is not read. */
  @Test
  void anUnfinishedCheckpointIsRemoved() throws IOException {
    checkpoints.write(snapshot(1));
    Path unfinished = directory.resolve("checkpoints").resolve(".unfinished-step-000000002");
    Files.move(checkpoints.open(1).path(), unfinished);
    assertTrue(checkpoints.latest(warnings::add).isEmpty());
    checkpoints.clean();
    assertTrue(Files.notExists(unfinished));
    checkpoints.write(snapshot(2));
    assertEquals(List.of(2L), checkpoints.steps());
  }

  @Test
  void oneThatCannotBeWrittenLeavesNothing() throws IOException {
    checkpoints.write(snapshot(1));
    Snapshot bad = snapshot(2);
    bad.workers.put(2, null);
    assertThrows(RuntimeException.class, () -> checkpoints.write(bad));
    assertEquals(List.of(1L), checkpoints.steps());
    assertEquals(1, checkpoints.latest(warnings::add).orElseThrow().step());
  }

  /** Another program has written the manifest with the right checksum. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | expected step 2, as its directory says, found 0",
        "null | expected the description of a checkpoint, found null",
        "{\"step\":2} | expected parameters.npy among its files, found none",
        "{\"step\":2,\"files\":{}} | expected parameters.npy among its files, found []",
        "{\"step\":2,\"files\":{\"parameters.npy\":{}}} | expected blocks with names",
        "{\"step\":2,\"files\":{\"parameters.npy\":{},\"../a\":{}}} | expected names of files",
        "{\"step\":2,\"files\":{\"parameters.npy\":{}},\"blocks\":[{}]} | expected blocks with names",
        "[] | expected the description of a checkpoint"
      })
  void aCheckpointWithAnIncompleteManifestIsSkipped(String json, String message)
      throws IOException {
    checkpoints.write(snapshot(1));
    checkpoints.write(snapshot(2));
    rewrite(checkpoints.open(2).path().resolve("manifest.json"), json);
    assertSecondLeftOut(message);
  }

  private void assertSecondLeftOut(String message) throws IOException {
    assertEquals(1, checkpoints.latest(warnings::add).orElseThrow().step());
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains("step-000000002"), warnings.get(0));
    assertTrue(warnings.get(0).contains(message), warnings.get(0));
    var error = assertThrows(IOException.class, () -> checkpoints.open(2));
    assertTrue(error.getMessage().contains(message), error.getMessage());
  }

  private static void rewrite(Path manifest, String json) throws IOException {
    Files.writeString(manifest, json);
    Files.writeString(
        manifest.resolveSibling("manifest.json.sha256"), Checkpoint.sumLine(Sha256.of(manifest)));
  }

  @Test
  void aCheckpointOfAnotherNetworkIsSkipped() throws IOException {
    checkpoints.write(snapshot(1));
    Layout other = new Layout(List.of(new Block("a.W", Block.Kind.WEIGHT, 0, 3)));
    Snapshot foreign = new Snapshot(other);
    foreign.step = 2;
    foreign.master.put(Snapshot.PARAMETERS, new float[3]);
    checkpoints.write(foreign);
    checkpoints.writeBest(foreign);
    checkpoints =
        new CheckpointDirectory(
            directory.resolve("checkpoints"), new Origin(LAYOUT.size(), Map.of()));
    assertSecondLeftOut("expected 8 parameters, as the run's network has, found 3");
    assertThrows(IOException.class, checkpoints::best);
  }

  @Test
  void aCheckpointOfAnotherRunIsSkipped() throws IOException {
    of(Map.of("--seed", "1", "--norm", "none")).write(snapshot(1));
    of(Map.of("--seed", "2", "--norm", "none")).write(snapshot(2));
    of(Map.of("--seed", "2", "--norm", "none")).writeBest(snapshot(2));
    checkpoints = of(Map.of("--seed", "1", "--norm", "none"));
    assertSecondLeftOut(": --seed: expected 1, as in the run, found 2");
    assertThrows(IOException.class, checkpoints::best);
  }

  private CheckpointDirectory of(Map<String, String> run) {
    return new CheckpointDirectory(
        directory.resolve("checkpoints"), new Origin(LAYOUT.size(), run));
  }

  /** An option that only one of two versions knows is not compared. */
  @Test
  void whatOnlyOneOfTheTwoSaysDoesNotCount() throws IOException {
    of(Map.of("--seed", "1", "--old", "x")).write(snapshot(1));
    assertEquals(1, of(Map.of("--seed", "1", "--new", "y")).open(1).step());
  }

  @Test
  void aManifestOfTheFirstFormatDoesNotSayWhoseItIs() throws IOException {
    of(Map.of("--seed", "2")).write(snapshot(1));
    Path manifest = checkpoints.open(1).path().resolve("manifest.json");
    String json = Files.readString(manifest);
    String first =
        json.replace("\"format\" : 2", "\"format\" : 1")
            .replaceFirst("(?s)  \"run\" : \\{.*?\\},\n", "");
    assertFalse(first.contains("run"), first);
    rewrite(manifest, first);
    assertEquals(1, of(Map.of("--seed", "1")).open(1).step());
  }

  @Test
  void aCheckpointOfAnotherStepIsSkipped() throws IOException {
    checkpoints.write(snapshot(1));
    checkpoints.write(snapshot(3));
    Path third = checkpoints.open(3).path();
    Files.move(third, third.resolveSibling("step-000000002"));
    assertSecondLeftOut("expected step 2, as its directory says, found 3");
  }

  @Test
  void aMissingManifestIsNamed() throws IOException {
    checkpoints.write(snapshot(1));
    checkpoints.write(snapshot(2));
    Files.delete(checkpoints.open(2).path().resolve("manifest.json"));
    assertSecondLeftOut("manifest.json: expected a file, found none");
  }

  @Test
  void aNewerFormatIsNamed() throws IOException {
    checkpoints.write(snapshot(1));
    Path manifest = checkpoints.open(1).path().resolve("manifest.json");
    rewrite(manifest, Files.readString(manifest).replace("\"format\" : 2", "\"format\" : 9"));
    var error = assertThrows(IOException.class, () -> checkpoints.open(1));
    assertTrue(error.getMessage().contains("expected format 2 or older, found 9"));
  }
}
