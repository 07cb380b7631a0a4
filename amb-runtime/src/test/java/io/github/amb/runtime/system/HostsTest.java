package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose hosts are loopback addresses, and whose remote shell is a script. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class HostsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String TRAIN = "train toy fmb rms 16 --evaluate last ";
  private static final String TOY = TRAIN + "--start-limit 200 ";

  @TempDir Path directory;

  private Path hosts;
  private Path shell;

  @BeforeEach
  void threeHosts() throws IOException {
    hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1\n127.0.0.2\n127.0.0.3\n");
    shell = script("shell", "shift; exec \"$@\"");
  }

  private Path script(String name, String body) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/bash\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private String remote() {
    return " --hosts " + hosts + " --remote-shell " + shell + " ";
  }

  @Tag("lab")
  @Test
  void ranksOnThreeHostsComputeTheSame() throws Exception {
    String sim = "--workers 2 --engine sim --cost-per-example 0.1";
    RunDirectory here = train("here", TRAIN + "--last-step 5 " + sim);
    RunDirectory spread = train("spread", TOY + "--last-step 5" + remote());
    assertEquals(
        here.read().ending().parametersSha256(), spread.read().ending().parametersSha256());
    assertEquals("2", spread.read().configured("workers", ""));
    assertEquals(
        "0 127.0.0.1 127.0.0.1, 1 127.0.0.2 127.0.0.1, 2 127.0.0.3 127.0.0.1",
        spread.read().environment().get("hosts"));
    for (int rank = 1; rank <= 2; rank++) {
      assertEquals(5, spread.workerRecords(rank).size());
      String log = Files.readString(spread.console(rank));
      assertEquals(5, log.lines().filter(line -> line.startsWith("Sending [16]")).count(), log);
    }
  }

  /** A remote shell starts with its own environment, as ssh does. */
  @Tag("lab")
  @Test
  void whatDecidesHowLibrariesComputeGoesToOtherHosts() throws Exception {
    shell = script("shell", "shift; exec env -i PATH=\"$PATH\" \"$@\"");
    List<String> line = new ArrayList<>(List.of("env", "OPENBLAS_CORETYPE=Nehalem", "LESS=-X"));
    line.addAll(AmbProcess.line(TOY + "--workers 1 --max-time 300" + remote()));
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), line)) {
      amb.awaitSteps(1);
      Path environment = Path.of("/proc", Long.toString(amb.rank(1).pid()), "environ");
      List<String> variables = List.of(Files.readString(environment).split("\0"));
      assertTrue(variables.contains("OPENBLAS_CORETYPE=Nehalem"), variables.toString());
      assertFalse(variables.contains("LESS=-X"), variables.toString());
    }
  }

  private RunDirectory train(String name, String command) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve(name), command);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run();
  }

  @Tag("lab")
  @Test
  void theSecretIsNeitherInArgumentsNorInFiles() throws Exception {
    String command = TOY + "--max-time 300 --checkpoint-every last" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command)) {
      amb.awaitSteps(3);
      String secret = secret(amb.rank(0));
      assertNotNull(secret);
      assertEquals(secret, secret(amb.rank(1)));
      assertEquals(secret, secret(amb.rank(2)));
      for (Path process : processes()) {
        assertFalse(text(process.resolve("cmdline")).contains(secret), process.toString());
      }
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertFalse(text(file).contains(secret), file.toString());
        }
      }
      amb.terminate();
      assertEquals(130, amb.awaitEnd(SOON), amb.everythingSaid());
      amb.awaitNoDescendants(SOON);
    }
  }

  /** The remote shell works for the check, and fails at the start of the rank. */
  @Test
  @Tag("lab")
  void aFailingRemoteShellIsQuoted() throws Exception {
    String start =
        "[ $1 = 127.0.0.3 ] || { shift; exec \"$@\"; }; script=$(sed -u '/^exec/q')\n"
            + "[[ $script != *runtime.Train* ]] || { echo 'no route to host' >&2; exit 255; }\n"
            + "exec bash -c \"$script\"";
    shell = script("shell", start);
    AmbProcess amb = AmbProcess.run(directory.resolve("run"), TOY + "--last-step 5" + remote());
    assertEquals(255, amb.exitCode(), amb.everythingSaid());
    assertEquals(
        "amb: rank 2 (on 127.0.0.3) exited with code 255: no route to host; no checkpoint was written; start a new run",
        lastError(amb));
    amb.awaitNoDescendants(SOON);
  }

  @Test
  @Tag("lab")
  void aKilledRankIsNamedWithItsHost() throws Exception {
    String command =
        "train toy fmb rms 16 --max-time 3000 --min-workers 2 --checkpoint-every last" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command.strip())) {
      amb.awaitSteps(3);
      long pid = amb.rank(2).pid();
      amb.rank(2).destroyForcibly();
      assertEquals(21, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String last = lastError(amb);
      assertTrue(
          last.startsWith(
              "amb: workers left: 1, fewer than --min-workers 2: rank 2 (pid %d on 127.0.0.3) was killed by signal 9; resume after step "
                  .formatted(pid)),
          last);
    }
  }

  private static String lastError(AmbProcess amb) throws IOException {
    List<String> lines = amb.stderr();
    return lines.get(lines.size() - 1);
  }

  @Test
  @Tag("lab")
  void theRunSurvivesAFailedReplacement() throws Exception {
    String start =
        "[ $1 = 127.0.0.3 ] || { shift; exec \"$@\"; }; script=$(sed -u '/^exec/q')\n"
            + "[[ $script != *standby* ]] || exit 7; exec bash -c \"$script\"";
    shell = script("shell", start);
    String what = "; this replacement failed to start";
    String command = TOY + "--max-time 3000 --respawn 1 --inject kill:rank=2,step=5" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command)) {
      amb.awaitWhileRunning(
          () -> amb.stderr().stream().anyMatch(line -> line.endsWith(what)), "what failed");
      long steps = amb.steps();
      amb.awaitWhileRunning(() -> amb.steps() > steps, "another step");
      String said = "amb: rank 2 (on 127.0.0.3) exited with code 7";
      assertTrue(
          amb.stderr().stream().anyMatch(line -> line.startsWith(said)), amb.everythingSaid());
    }
  }

  /** Whether this process, and those that it starts, do not ignore a signal. */
  private static boolean isHandled(int signal) throws IOException {
    String ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .orElseThrow();
    return (new BigInteger(ignored.substring(7).strip(), 16).longValue() >> (signal - 1) & 1) == 0;
  }

  /** A host is removed from the file, and another one added. */
  @Tag("lab")
  @Test
  void hostsAreReadAgainAfterSighup() throws Exception {
    assumeTrue(isHandled(1), "SIGHUP is ignored here, as after nohup");
    String command = TOY + "--max-time 3000 --induce 0.05,0,1" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command.strip())) {
      amb.awaitSteps(3);
      list(amb, "127.0.0.1", "127.0.0.3");
      amb.awaitWhileRunning(() -> said(amb, "rank 1 has left"), "a leave");
      list(amb, "127.0.0.1", "127.0.0.3", "127.0.0.4");
      amb.awaitWhileRunning(() -> said(amb, "starting rank 1 on 127.0.0.4"), "a start");
      amb.awaitWhileRunning(() -> said(amb, "rank 1 joins"), "a new worker");
      amb.awaitSteps((int) amb.steps() + 3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(SOON);
      List<MembershipRecord> changes =
          LogRecord.of(MembershipRecord.class, amb.run().masterRecords());
      assertEquals(
          List.of(List.of(2), List.of(1, 2)),
          changes.stream().map(MembershipRecord::workers).toList(),
          amb.everythingSaid());
      assertEquals(0, changes.get(0).discarded(), changes.toString());
    }
  }

  private void list(AmbProcess amb, String... lines) throws Exception {
    Files.write(hosts, List.of(lines));
    AmbProcess.signal("HUP", amb.handle());
  }

  private static boolean said(AmbProcess amb, String what) throws IOException {
    return amb.stderr().stream().anyMatch(line -> line.contains(what));
  }

  /** One that fails the check gets no worker. */
  @Tag("lab")
  @Test
  void aSpareHostTakesTheWorkerOfOneThatIsLost() throws Exception {
    shell = script("shell", "[ $1 != 127.0.0.4 ] || exit 255; shift; exec \"$@\"");
    Files.writeString(hosts, "127.0.0.4\n127.0.0.5\n", StandardOpenOption.APPEND);
    String command = TOY + "--workers 2 --max-time 3000 --inject kill:rank=2,step=5" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command.strip())) {
      amb.awaitWhileRunning(() -> said(amb, "starting rank 2 on 127.0.0.5"), "a start");
      assertTrue(said(amb, "host 127.0.0.4: expected this program"), amb.everythingSaid());
      amb.awaitWhileRunning(() -> said(amb, "rank 2 joins"), "a new worker");
      amb.awaitSteps((int) amb.steps() + 3);
    }
  }

  private static String secret(ProcessHandle rank) throws IOException {
    return Stream.of(text(Path.of("/proc/" + rank.pid() + "/environ")).split("\0"))
        .filter(variable -> variable.startsWith("AMB_RUN_SECRET="))
        .map(variable -> variable.substring("AMB_RUN_SECRET=".length()))
        .findFirst()
        .orElse(null);
  }

  private static List<Path> processes() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc"))) {
      return files.filter(file -> file.getFileName().toString().matches("\\d+")).toList();
    }
  }

  /** Bytes of a file as characters; none of a process that has just ended. */
  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void dataThatDifferOnAHostAreNamedBeforeAnythingStarts() throws Exception {
    Path own = data("own", 1);
    Path other = data("other", 0);
    shell =
        script(
            "shell",
            "host=$1; shift; if [ $host = 127.0.0.3 ]; then exec \"$@\" < <(sed 's#%s#%s#g'); fi; exec \"$@\""
                .formatted(own.getParent(), other.getParent()));
    AmbProcess amb =
        AmbProcess.run(
            directory.resolve("run"), "train " + own + " fmb rms 4 --network toy-fc" + remote());
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    List<String> lines = amb.stderr();
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.matches(
                        "amb: host 127\\.0\\.0\\.3: .*: expected .*, as at the master, found .*")),
        amb.everythingSaid());
    assertTrue(lines.stream().noneMatch(line -> line.contains("127.0.0.2")), lines.toString());
    assertFalse(Files.exists(directory.resolve("run/runs")));
  }

  private Path data(String name, int label) throws IOException {
    StringBuilder csv = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      csv.append(i == 0 ? label : i % 2).append(",1".repeat(100)).append('\n');
    }
    return Files.writeString(
        Files.createDirectory(directory.resolve(name)).resolve("data.csv"), csv);
  }

  @Test
  void allBadHostsAreNamedTogether() throws Exception {
    shell =
        script(
            "shell",
            "[ $1 = 127.0.0.2 ] && { echo 'no route to host' >&2; exit 255; }; sed -n 's/^exec.*/no-such-program/p' | bash");
    AmbProcess amb = AmbProcess.run(directory.resolve("run"), TOY + remote().strip());
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    String said = String.join("\n", amb.stderr());
    assertTrue(
        said.contains(
            "host 127.0.0.2: expected this program at the same path as here, found that '%s 127.0.0.2 bash' exits with code 255: no route to host"
                .formatted(shell)),
        said);
    assertTrue(said.matches("(?s).*host 127\\.0\\.0\\.3: .* 127: .*no-such-program.*"), said);
    assertFalse(Files.exists(directory.resolve("run/runs")));
  }

  @Test
  @Tag("lab")
  void remoteRanksEndWithoutTheirLauncher() throws Exception {
    String command = TOY + "--max-time 300 --dead-after 3 --stall-after 8" + remote();
    try (AmbProcess amb = AmbProcess.start(directory.resolve("run"), command)) {
      amb.awaitSteps(3);
      List<ProcessHandle> workers = new ArrayList<>(List.of(amb.rank(1), amb.rank(2)));
      amb.stop();
      for (ProcessHandle worker : workers) {
        amb.awaitEnd(worker, SOON);
      }
      amb.kill();
      amb.awaitNoDescendants(SOON);
    }
  }

  @Test
  void contradictingOptionsAreRejected() throws Exception {
    assertRejected("--bind 127.0.0.1", "--bind: expected --hosts FILE beside it, found none");
    assertRejected("--engine sim" + remote(), "--hosts: expected --engine mpj, found");
    assertRejected("--workers 3" + remote(), "--workers: expected 1 to 2, the slots in");
    assertRejected(
        remote().strip() + " --bind 198.51.100.1", "--bind 198.51.100.1: expected an address");
  }

  private void assertRejected(String options, String message) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve("rejected"), TOY + options.strip());
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertTrue(amb.stderr().get(0).startsWith("amb: " + message), amb.everythingSaid());
  }
}
