package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code scripts/amb-srun} with a stand-in for {@code srun}, which starts what it is told here,
 * with the variables of a node's daemon and of a step, as Slurm 22.05 sets them, and writes its own
 * command line down.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class SlurmTest {
  private static final Path SCRIPT = Path.of("../scripts/amb-srun").toAbsolutePath().normalize();
  private static final String SRUN =
      """
      echo "$*" >> calls
      while [[ $1 == -* ]]; do
        [[ $1 == -w ]] && { shift; node=$1; }
        shift
      done
      [[ -n $SLURM_JOB_ID && $node == node* ]] || exit 3
      export SLURMD_NODENAME=$node SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_TASKS_PER_NODE=1
      exec "$@"
      """;

  @TempDir Path directory;

  @BeforeEach
  void install() throws IOException {
    Files.copy(SCRIPT, directory.resolve("amb-srun"), StandardCopyOption.COPY_ATTRIBUTES);
    script("srun", SRUN);
    script("scontrol", "exit 1");
    String java =
        AmbProcess.line("").stream()
            .filter(word -> !word.isEmpty())
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    script("amb", "exec " + java + " \"$@\"");
  }

  private void script(String name, String body) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private AmbProcess run(String environment, String arguments) throws Exception {
    Files.deleteIfExists(directory.resolve("calls"));
    String line =
        "export PATH=%s:$PATH; %s exec %s/amb-srun %s"
            .formatted(directory, environment, directory, arguments);
    try (AmbProcess amb = AmbProcess.start(directory, List.of("bash", "-c", line))) {
      amb.awaitEnd(AmbProcess.LIMIT);
      return amb;
    }
  }

  private long calls(String text) throws IOException {
    return Files.readAllLines(directory.resolve("calls")).stream()
        .filter(line -> line.contains(text))
        .count();
  }

  @Test
  void tasksOfAnAllocationBecomeRanks() throws Exception {
    AmbProcess amb =
        run(
            "export SLURM_JOB_ID=7 SLURM_JOB_NODELIST='node[08-09],node1'"
                + " SLURM_TASKS_PER_NODE='1(x2),2' SLURM_CPUS_PER_TASK=2;",
            "toy fmb rms 16 --last-step 3 --evaluate last --start-limit 200");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    RunDirectory run = amb.run();
    assertEquals("3", run.read().configured("workers", ""));
    String hosts = run.read().environment().get("hosts");
    assertTrue(
        hosts.matches("0 node08 [\\d.]+, 1 node09 [\\d.]+, 2 node1 [\\d.]+, 3 node1 [\\d.]+"),
        hosts);
    assertEquals(3, run.workerRecords(3).size());
    // From the login node to the first one; a check of each other node; a rank for each task there.
    assertEquals(1, calls("-w node08 " + directory));
    assertEquals(2, calls("-w node09 bash"));
    assertEquals(3, calls("-w node1 bash"));
    assertEquals(6, calls("--cpus-per-task=2 "));
  }

  @Test
  void withoutAnAllocationItSaysWhatItNeeds() throws Exception {
    AmbProcess amb = run("unset SLURM_JOB_ID;", "toy fmb rms 16");
    assertEquals(2, amb.exitCode());
    assertTrue(
        amb.stderr().get(0).startsWith("amb-srun: expected SLURM_JOB_ID"), "" + amb.stderr());
  }

  @Test
  void countsThatDoNotFitTheNodesAreRejected() throws Exception {
    String allocation =
        "export SLURM_JOB_ID=7 SLURMD_NODENAME=node1 SLURM_JOB_NODELIST='node[1-2]' ";
    AmbProcess counts = run(allocation + "SLURM_TASKS_PER_NODE='1(x3)';", "toy fmb rms 16");
    assertEquals(2, counts.exitCode());
    assertTrue(counts.stderr().get(0).contains("a task count for each node"));
    AmbProcess usage = run(allocation + "SLURM_TASKS_PER_NODE='1(x2)';", "toy no-scheme rms 16");
    assertEquals(2, usage.exitCode());
    assertTrue(usage.stderr().get(0).contains("no-scheme"), usage.everythingSaid());
  }
}
