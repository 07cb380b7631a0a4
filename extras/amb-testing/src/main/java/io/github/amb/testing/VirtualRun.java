package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.train.TrainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A finished run of {@code amb train} in this process: linear regression on three workers of
 * unequal speed, in virtual time.
 */
final class VirtualRun {
  /** A batch takes the fastest worker 0.32 s. */
  private static final String CLUSTER =
      " --engine sim --workers 3 --cost-per-example 0.02 --speed 1,0.7,0.5 --evaluate last"
          + " --weight-decay 0 --seed "
          + (1 + Long.getLong("amb.test.seed", 0));

  /**
   * The mean loss has the curvature 2, so that a step takes 4 % of the way to the least loss, on
   * average. Batches of 5 examples with 100 features converge up to a rate of 1 / (1 + 101 / 5).
   */
  private static final String RATE = " --learning-rate 0.02";

  private final RunDirectory run;

  private VirtualRun(Path path) {
    run = new RunDirectory(path);
  }

  /**
   * Trains.
   *
   * @param path directory of the run, which must not exist
   * @param scheme name and options, as a user types them
   * @param rule update rule
   * @param options further options
   */
  static VirtualRun train(Path path, String scheme, String rule, String options)
      throws IOException {
    VirtualRun run = new VirtualRun(path);
    command(0, run.line(scheme, rule, options));
    return run;
  }

  /** As {@link #train}, but expects that the run ends early and says how to resume it. */
  static VirtualRun interrupted(Path path, String scheme, String rule, String options)
      throws IOException {
    VirtualRun run = new VirtualRun(path);
    command(ExitCode.TOO_FEW_WORKERS, run.line(scheme, rule, options));
    return run;
  }

  private String line(String scheme, String rule, String options) {
    String[] words = scheme.split(" ", 2);
    String more = words.length == 1 ? "" : " " + words[1];
    return "linear %s %s 16%s%s%s --run-directory %s %s"
        .formatted(words[0], rule, more, CLUSTER, RATE, run.path(), options);
  }

  /**
   * Resumes a copy of this run as if it had been killed after a step.
   *
   * @param path directory of the copy, which must not exist
   * @param killedAfter its last step with a checkpoint
   */
  VirtualRun resumed(Path path, long killedAfter, long lastStep) throws IOException {
    copy(run.path(), path);
    VirtualRun copy = new VirtualRun(path);
    for (Path checkpoint : Folder.entries(copy.run.checkpoints())) {
      String name = checkpoint.getFileName().toString();
      if (!name.startsWith("step-") || Long.parseLong(name.substring(5)) > killedAfter) {
        Disk.REAL.delete(checkpoint);
      }
    }
    copy.resume(lastStep);
    return copy;
  }

  /** Resumes this run. */
  void resume(long lastStep) throws IOException {
    command(0, "--resume " + run.path() + " --last-step " + lastStep);
  }

  private static void command(int exitCode, String line) throws IOException {
    assertEquals(exitCode, new TrainCommand().run(Arrays.asList(line.strip().split(" +"))), line);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** Checksum of the last parameters. */
  String parameters() throws IOException {
    return run.read().ending().parametersSha256();
  }

  /** All that the master has recorded, times included. */
  String log() throws IOException {
    return Files.readString(run.masterLog());
  }

  List<StepRecord> steps() throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords());
  }

  List<CollectRecord> collections() throws IOException {
    return LogRecord.of(CollectRecord.class, run.masterRecords());
  }

  /** The results of a worker that updates have used. */
  List<WorkerRecord> results(int worker) throws IOException {
    return LogRecord.of(WorkerRecord.class, run.workerRecords(worker));
  }

  List<DropRecord> drops() throws IOException {
    return LogRecord.of(DropRecord.class, run.masterRecords());
  }

  List<MembershipRecord> generations() throws IOException {
    return LogRecord.of(MembershipRecord.class, run.masterRecords());
  }
}
