package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel kills a rank whose control group has no memory left. Its counter is the host's: a rank
 * that a concurrent test kills would end for the same reason.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class OutOfMemoryKillTest {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final String LITTLE = Integer.toString(1 << 20);

  @TempDir Path directory;

  @Test
  void aKernelKillIsNamedWithItsRemedy() throws Exception {
    Path group = groupWithLittleMemory();
    try (AmbProcess amb = AmbProcess.start(directory, training())) {
      amb.awaitSteps(3);
      long rank = amb.rank(1).pid();
      Files.writeString(group.resolve("cgroup.procs"), Long.toString(rank));
      amb.awaitEnd(AmbProcess.LIMIT);
      List<String> said = amb.stderr();
      String last = said.get(said.size() - 1);
      assertEquals(20, amb.exitCode(), amb.everythingSaid());
      assertTrue(last.contains("rank 1 (pid " + rank + ") was killed by signal 9"), last);
      assertTrue(last.contains("the kernel killed processes of this host as memory ran out"), last);
      assertTrue(last.contains("--worker-heap"), last);
    } finally {
      Files.deleteIfExists(group);
    }
  }

  private static String training() {
    return "train toy fmb rms 16 --max-time 3000 --evaluate last --workers 1";
  }

  /**
   * Creates a control group of version 1 or 2, which needs root and is impossible in some
   * containers.
   */
  private static Path groupWithLittleMemory() throws IOException {
    String name = "amb-test-" + ProcessHandle.current().pid();
    boolean first = Files.isDirectory(CGROUPS.resolve("memory"));
    Path group = CGROUPS.resolve(first ? "memory/" + name : name);
    try {
      Files.createDirectory(group);
      Files.writeString(group.resolve(first ? "memory.limit_in_bytes" : "memory.max"), LITTLE);
    } catch (IOException e) {
      Files.deleteIfExists(group);
      assumeTrue(false, "no control group with a limit can be made here: " + e);
    }
    return group;
  }
}
