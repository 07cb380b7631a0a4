package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What mpi-operator gives to the pods of {@code deploy/kubernetes/mpijob.yaml}: a host file with
 * names and slots, the launcher first; keys that are read-only and root's; user 1000. The pods are
 * network namespaces with the real sshd and the files of {@code deploy}.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(500)
class OperatorContractTest {
  private static final Path DEPLOY = Path.of("../deploy").toAbsolutePath().normalize();
  private static final Path NETNS = Path.of("../scripts/netns-hosts").toAbsolutePath().normalize();
  private static final Path POD =
      Path.of("src/test/resources/operator/pod").toAbsolutePath().normalize();
  private static final Path SSHD = Path.of("/usr/sbin/sshd");
  private static final List<String> NAMES =
      List.of("amb-launcher.amb.default.svc", "amb-worker-0.amb.default.svc");
  private static final Duration SOON = Duration.ofSeconds(60);

  private final String name = "ambo" + ProcessHandle.current().pid() + "p";
  private final List<AmbProcess> daemons = new ArrayList<>();

  @TempDir Path directory;

  @BeforeEach
  void pods() throws Exception {
    assumeTrue(Files.isExecutable(SSHD), "SKIPPED: there is no sshd");
    assumeTrue(runs(NETNS.toString(), "up", name, "2", "10.79.0"), "SKIPPED: no namespaces");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path keys = Files.createDirectory(directory.resolve("keys"));
    Path key = keys.resolve("id_rsa");
    assertTrue(runs("ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", key.toString()));
    Files.copy(keys.resolve("id_rsa.pub"), keys.resolve("authorized_keys"));
    assertTrue(runs("sh", "-c", "chmod 644 " + keys + "/* && chmod 1777 " + keys));
    for (String file : List.of("ssh_config", "sshd_config")) {
      Files.copy(DEPLOY.resolve(file), directory.resolve(file));
    }
    Files.writeString(
        directory.resolve("passwd"),
        "root:x:0:0:root:/root:/bin/bash\nmpiuser:x:1000:1000::/home/mpiuser:/bin/bash\n");
    StringBuilder addresses = new StringBuilder("127.0.0.1 localhost\n");
    StringBuilder slots = new StringBuilder();
    for (int pod = 1; pod <= NAMES.size(); pod++) {
      addresses.append("10.79.0.%d %s\n".formatted(pod, NAMES.get(pod - 1)));
      slots.append(NAMES.get(pod - 1)).append(" slots=2\n");
    }
    Files.writeString(directory.resolve("hosts"), addresses);
    Files.writeString(directory.resolve("hostfile"), slots);
    Files.createDirectory(directory.resolve("work"));
    assertTrue(runs("chown", "1000:1000", directory.resolve("work").toString()));
    sshd();
  }

  private void sshd() throws Exception {
    for (int pod = 1; pod <= NAMES.size(); pod++) {
      List<String> line = inPod(pod, SSHD.toString(), "-De", "-f", "/home/mpiuser/.sshd_config");
      AmbProcess daemon = AmbProcess.start(directory.resolve("sshd" + pod), line);
      daemons.add(daemon);
      daemon.awaitWhileRunning(
          () -> String.join("", daemon.stderr()).contains("Server listening"), "sshd's port");
    }
  }

  private List<String> inPod(int pod, String... command) {
    List<String> line = new ArrayList<>(List.of("bash", POD.toString(), name + pod));
    line.add(directory.toString());
    line.addAll(List.of(command));
    return line;
  }

  private static boolean runs(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).inheritIO().start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }

  @AfterEach
  void down() throws Exception {
    daemons.forEach(AmbProcess::close);
    runs(NETNS.toString(), "down", name);
  }

  /** The class path in a place that user 1000 can read. */
  private String classPath() throws IOException {
    Path lib = Files.createDirectory(directory.resolve("lib"));
    List<String> copies = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path copy = lib.resolve(copies.size() + "-" + Path.of(entry).getFileName());
      copy(Path.of(entry), copy);
      copies.add(copy.toString());
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.exists(from) ? Files.walk(from) : Stream.empty()) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void aUserWithReadOnlyKeysTrainsOnAllSlots() throws Exception {
    Path run = directory.resolve("work/run");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String quick = "-XX:TieredStopAtLevel=1";
    List<String> line = inPod(1, java, "-XX:+UseSerialGC", quick, "-Damb.rank.jvm=" + quick);
    line.addAll(List.of("-Xmx1g", "-cp", classPath()));
    line.add(Amb.class.getName());
    String options = "train toy fmb rms 16 --start-limit 200 --last-step 5 --evaluate last";
    line.addAll(List.of((options + " --run-directory " + run).split(" ")));
    line.addAll(List.of("--hosts", directory.resolve("hostfile").toString()));
    try (AmbProcess amb = AmbProcess.start(directory.resolve("amb"), line)) {
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(SOON);
    }
    RunDirectory made = new RunDirectory(run);
    assertEquals(List.of(1, 2, 3), made.workers());
    String hosts = made.read().environment().get("hosts");
    assertTrue(
        hosts.matches("0 amb-launcher.* 1 amb-launcher.* 2 amb-worker-0.* 3 amb-w.*"), hosts);
    assertEquals(1000, Files.getAttribute(made.info(), "unix:uid"));
  }
}
