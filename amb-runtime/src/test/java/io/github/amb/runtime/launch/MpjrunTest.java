package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RankMain;
import io.github.amb.runtime.mpj.Ranks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
  void ranksOfMulticoreModeExchangeFrames() throws Exception {
    assertEquals(0, run("-np", "3", "-Xmx256m", "star", "0", "1", "1000", "1000000"), output());
    assertTrue(output().contains("multicore configuration"), output());
  }

  @Test
  void ranksOfNiodevExchangeFrames() throws Exception {
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

  @Test
  void ranksOfHybdevExchangeFrames() throws Exception {
    assertEquals(
        0, run("-np", "3", "-dev", "hybdev", "-Xmx128m", "star", "0", "9", "1000000"), output());
  }

  @Test
  void failureInMulticoreModeGivesItsExitCode() throws Exception {
    assertEquals(1, run("-np", "3", "-Xmx256m", "fail", "throw"));
    assertTrue(output().contains("amb: rank 2: java.lang.IllegalStateException"), output());
  }

  @Test
  void failureUnderNiodevGivesItsExitCode() throws Exception {
    assertEquals(1, run("-np", "3", "-dev", "niodev", "-Xmx128m", "fail", "throw"));
  }

  @Test
  void killedRankUnderNiodevIsAFailure() throws Exception {
    assertEquals(1, run("-np", "3", "-dev", "niodev", "-Xmx128m", "fail", "kill"));
  }

  @Test
  void missingClassIsUsage() throws Exception {
    assertEquals(2, start(List.of("-np", "3")).waitFor());
    assertTrue(output().contains("expected a class"), output());
  }

  @Test
  void terminatedScriptLeavesNothing() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-np", "3", "-dev", "niodev", "-Xmx128m"));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.addAll(List.of(RankMain.class.getName(), "fail", "wait"));
    Process script = start(arguments);
    while (!output().contains("running")) {
      Thread.sleep(100);
    }
    script.destroy();
    assertEquals(143, script.waitFor());
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
    return builder.start();
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve("output"));
  }
}
