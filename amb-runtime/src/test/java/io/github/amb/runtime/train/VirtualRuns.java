package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the virtual cluster on small data, and their results. */
abstract class VirtualRuns {
  static final String AMB =
      "toy amb rms 16 --amb-time-limit 0.2 --amb-num-partitions 8 --induce cedar --engine sim"
          + " --workers 3 --cost-per-example 0.02 --last-step 5 --evaluate-every 2 --test-size 50";

  /** Options of three equally fast workers, which are observed while the last test takes time. */
  static final String EQUAL =
      " --engine sim --workers 3 --cost-per-example 0.02 --evaluate last"
          + " --cost-per-test-example 0.0066666667";

  /** The same with a small network: the one of {@code toy} has a million parameters. */
  static final String SMALL = " --network logistic-regression" + EQUAL;

  @TempDir Path directory;

  RunDirectory train(String name, String command) throws IOException {
    return train(name, command, 0);
  }

  RunDirectory train(String name, String command, int exitCode) throws IOException {
    Path path = directory.resolve(name);
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    assertEquals(exitCode, new TrainCommand().run(arguments));
    return new RunDirectory(path);
  }

  RunDirectory resume(String name, String more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--resume", directory.resolve(name).toString()));
    arguments.addAll(Arrays.asList(more.split(" ")));
    assertEquals(0, new TrainCommand().run(arguments));
    return new RunDirectory(directory.resolve(name));
  }

  static List<Double> losses(RunDirectory run) throws IOException {
    return stepRecords(run).stream().map(StepRecord::loss).toList();
  }

  static List<StepRecord> stepRecords(RunDirectory run) throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords());
  }

  static List<MembershipRecord> membershipRecords(RunDirectory run) throws IOException {
    return LogRecord.of(MembershipRecord.class, run.masterRecords());
  }

  static List<Long> numSamples(List<StepRecord> steps) {
    return steps.stream().map(StepRecord::numSamples).toList();
  }
}
