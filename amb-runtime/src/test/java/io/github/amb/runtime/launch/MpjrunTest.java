package io.github.amb.runtime.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RankMain;
import io.github.amb.runtime.mpj.Ranks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("system")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MpjrunTest {
  private static final Path SCRIPT = Path.of("../scripts/mpjrun").toAbsolutePath().normalize();

  @TempDir Path directory;

  @AfterEach
  void nothingIsLeftBehind() {
    assertEquals(List.of(), Ranks.leftBehind());
  }

  @Test
  void ranksOfMulticoreModeExchangeMessages() throws Exception {
    assertEquals(0, run("-np", "3", "-Xmx256m", "star", "0", "1", "1000", "1000000"), output());
    assertTrue(output().contains("multicore configuration"), output());
  }

  @Tag("lab")
  @Test
  void ranksOfNiodevExchangeMessages() throws Exception {
    assertEquals(
        0, run("-np", "3", "-dev", "niodev", "-Xmx128m", "star", "0", "9", "1000000"), output());
    assertTrue(output().contains("cluster configuration with niodev"), output());
    assertTrue(output().contains("daemon listens on all interfaces"), output());
  }

  /** A port that outgoing connections take too may be gone before the daemon binds it. */
  @Test
  void daemonListensBelowThePortsOfOutgoingConnections() throws Exception {
    assertEquals(0, run("-np", "2", "-dev", "niodev", "-Xmx128m", "star", "1"), output());
    Matcher port =
        Pattern.compile("daemon listens on all interfaces, port (\\d+)").matcher(output());
    assertTrue(port.find(), output());
    assertTrue(Integer.parseInt(port.group(1)) < 25_000, port.group());
  }

  @Tag("lab")
  @Test
  void ranksOfHybdevExchangeMessages() throws Exception {
    assertEquals(
        0, run("-np", "3", "-dev", "hybdev", "-Xmx128m", "star", "0", "9", "1000000"), output());
  }

  @Test
  void failureInMulticoreModeGivesItsExitCode() throws Exception {
    assertEquals(1, run("-np", "3", "-Xmx256m", "fail", "throw"));
    assertTrue(output().contains("amb: rank 2: java.lang.IllegalStateException"), output());
  }

  @Tag("lab")
  @Test
  void failureUnderNiodevGivesItsExitCode() throws Exception {
    assertEquals(1, run("-np", "3", "-dev", "niodev", "-Xmx128m", "fail", "throw"));
  }

  @Tag("lab")
  @Test
  void killedRankUnderNiodevIsAFailure() throws Exception {
    assertEquals(1, run("-np", "3", "-dev", "niodev", "-Xmx128m", "fail", "kill"));
  }

  /** The last part is what the one line names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-np 3;expected a class",
        "-np;after -np",
        "-np x X;'x'",
        "-np 0 X;'0'",
        "-np 4294967298 X;'4294967298'",
        "-np -dev niodev X;'-dev'",
        "-dev foo X;'foo'",
        "-np 2 -dev niodev -dport 70000 X;'70000'",
        "-np 2 -psl 1k X;'1k'",
        "-np 2 -wdir /missing X;'/missing'",
        "-np 2 -dev niodev -machinesfile /missing X;'/missing'",
        "-np 2 -machinesfile /etc/hosts X;-dev niodev",
        "-np 2 -jar x.jar;-jar",
        "-np 2 -Xfoo io.github.amb.runtime.Train;-Xfoo",
        "-np 3 Nope;Nope",
        "-np 3 java.lang.String;java.lang.String",
      })
  void badArgumentsAreOneLine(String trial) throws Exception {
    List<String> words = new ArrayList<>(List.of(trial.split(";")[0].split(" ")));
    words.addAll(0, List.of("-cp", System.getProperty("java.class.path")));
    assertEquals(2, start(words).waitFor(), output());
    assertEquals(1, output().lines().count(), output());
    assertTrue(output().contains(trial.split(";")[1]), output());
  }

  @Tag("lab")
  @Test
  void terminatedScriptLeavesNothing() throws Exception {
    Process script = startRunning();
    script.destroy();
    assertEquals(143, script.waitFor());
    assertEquals(List.of(), files());
  }

  /** Finding A12: the daemon runs programs for anyone who reaches it. */
  @Test
  void aKilledScriptLeavesNeitherProcessNorFile() throws Exception {
    Process script = startRunning();
    List<ProcessHandle> job = script.descendants().toList();
    assertTrue(Listening.sockets(job).size() >= 2, () -> "found " + job);
    script.destroyForcibly().waitFor();
    for (ProcessHandle process : job) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
    while (!files().isEmpty()) {
      Thread.sleep(50); // The test's time limit ends this.
    }
  }

  @Tag("lab")
  @Test
  void portsOfDaemonAndLauncherAreNamed() throws Exception {
    Process script = startRunning();
    for (InetSocketAddress socket : Listening.sockets(script.descendants().toList())) {
      boolean named = output().contains("port " + socket.getPort());
      assertTrue(named || !socket.getAddress().isAnyLocalAddress(), socket + " " + output());
    }
    script.destroy();
    script.waitFor();
  }

  @Test
  void otherUsersCannotReadTheSecret() throws Exception {
    Process script = startRunning();
    Pattern variable = Pattern.compile("AMB_RUN_SECRET=([0-9a-f]{64})\0");
    List<ProcessHandle> job = script.descendants().toList();
    Set<String> secrets = new HashSet<>();
    int ranks = 0; // With the launcher, which names their class, too.
    for (ProcessHandle process : job) {
      if (proc(process, "cmdline").contains(RankMain.class.getName() + "\0")) {
        Matcher found = variable.matcher(proc(process, "environ"));
        assertTrue(found.find(), () -> "no secret for " + process.info());
        secrets.add(found.group(1));
        ranks++;
      }
    }
    assertTrue(ranks > 3, () -> "found " + job);
    assertEquals(1, secrets.size());
    String secret = secrets.iterator().next();
    for (ProcessHandle process : job) {
      assertFalse(proc(process, "cmdline").contains(secret));
    }
    for (Path file : files()) {
      boolean text = Files.isRegularFile(file);
      assertFalse(text && Files.readString(file, ISO_8859_1).contains(secret), file.toString());
    }
    script.destroy();
    script.waitFor();
  }

  /** Empty if the process has ended, as those by which the script sleeps do. */
  private static String proc(ProcessHandle process, String name) throws IOException {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/" + name), ISO_8859_1);
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return "";
    }
  }

  /** Of the job, while it runs. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("tmp"))) {
      return all.skip(1).filter(file -> !file.toString().contains("hsperfdata")).toList();
    } catch (UncheckedIOException e) {
      return List.of(Path.of("being removed"));
    }
  }

  private Process startRunning() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-np", "3", "-dev", "niodev", "-Xmx128m"));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.addAll(List.of(RankMain.class.getName(), "fail", "wait"));
    Process script = start(arguments);
    while (!output().contains("running")) {
      Thread.sleep(100);
    }
    return script;
  }

  private int run(String... arguments) throws Exception {
    List<String> all = new ArrayList<>();
    int scenario = 0;
    while (arguments[scenario].startsWith("-") || arguments[scenario].matches("\\d+|\\w+dev")) {
      all.add(arguments[scenario++]);
    }
    all.addAll(List.of("-cp", System.getProperty("java.class.path"), RankMain.class.getName()));
    all.addAll(List.of(arguments).subList(scenario, arguments.length));
    return start(all).waitFor();
  }

  private Process start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    builder.environment().put("TMPDIR", temporary.toString());
    return builder.start();
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve("output"));
  }
}
