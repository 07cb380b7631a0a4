package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.launch.Listening;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The last column of the fault matrix: the effect of a fault on MPJ Express alone. It tests nothing
 * of this program, and takes ten minutes.
 */
@Tag("lab")
@EnabledIfSystemProperty(named = "amb.matrix.alone", matches = "true")
class PlainMpjTest {
  /** Limit after which a job counts as hanging. */
  private static final Duration LIMIT = Duration.ofSeconds(25);

  /** Limit for a cut network: TCP repeats some time after the network is restored. */
  private static final Duration LIMIT_OF_CUT = Duration.ofSeconds(60);

  private static final long CUT_SECONDS = 20;
  private static final long AFTER_SIGNAL_SECONDS = 5;
  private static final int TRIES = 3;
  private static final String LAUNCHER = "launcher-";
  private static final String UNDER_WAY = "step 10";

  /** In multicore mode all ranks are one process, without ports. */
  private static final Set<String> OF_PROCESSES =
      Set.of(
          "kill",
          "kill-sending",
          "kill-workers",
          "kill-master",
          "stop",
          "stop-and-continue",
          "no-port",
          "cut",
          "strangers");

  /** These come before the first step. */
  private static final Set<String> EARLY = Set.of("no-class", "no-port", "strangers");

  @TempDir Path directory;

  static Stream<String> faults() {
    return FaultTable.rows().stream()
        .map(FaultRow::alone)
        .filter(fault -> !fault.isEmpty())
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void itIsSeenWhatBecomesOfTheFault(String fault) throws Exception {
    String seen = "niodev: " + seen(fault, "niodev");
    if (!fault.startsWith(LAUNCHER) && !OF_PROCESSES.contains(fault)) {
      seen += "; multicore: " + seen(fault, "multicore");
    }
    FaultTable.write("alone-" + fault, Map.of("observed", seen));
    assertTrue(!seen.contains("did not start"), seen);
  }

  @AfterAll
  static void writePage() throws IOException {
    FaultTable.writePage();
  }

  private String seen(String fault, String device) throws Exception {
    String seen = "did not start";
    for (int i = 0; i < TRIES && seen.equals("did not start"); i++) {
      Path place = directory.resolve(device + i);
      try (AmbProcess job = start(place, fault, device)) {
        seen = fault.startsWith(LAUNCHER) ? afterSignal(job, fault) : end(job, fault);
        boolean reached = EARLY.contains(fault) || says(job, UNDER_WAY);
        seen = reached ? seen : "did not start";
        job.terminate(); // The script ends what it has started.
        job.endsWithin(LIMIT);
      }
    }
    return seen;
  }

  private static AmbProcess start(Path place, String fault, String device) throws Exception {
    List<String> line = new ArrayList<>(List.of("-np", "4", "-dev", device));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), main(fault), fault));
    line = BadStartMatrixTest.mpjrun(line);
    Path temporary = Files.createDirectories(place.resolve("tmp"));
    line.addAll(
        0, List.of("env", "--default-signal=INT", "AMB_STOCK_EXIT=1", "TMPDIR=" + temporary));
    List<String> there =
        switch (fault) {
          case "no-port" -> Namespace.withoutPorts(25_000, 40_000, line);
          case "cut" -> Namespace.network(line);
          default -> line;
        };
    return AmbProcess.start(place, there);
  }

  private static String main(String fault) {
    return fault.equals("no-class") ? "NoSuchClass" : PlainMpj.class.getName();
  }

  private static boolean says(AmbProcess job, String text) throws IOException {
    return job.stdout().stream().anyMatch(line -> line.contains(text));
  }

  private static String end(AmbProcess job, String fault) throws Exception {
    long start = System.nanoTime();
    Duration limit = LIMIT;
    if (fault.equals("strangers")) {
      greet(job);
    } else if (fault.equals("cut")) {
      awaitStart(job);
      cut(job);
      limit = LIMIT_OF_CUT;
    }
    if (!job.endsWithin(limit.minusNanos(System.nanoTime() - start))) {
      String last = job.stdout().stream().filter(l -> l.contains("step ")).reduce("", (a, b) -> b);
      return "hangs"
          + (last.isEmpty() ? "" : " after " + last.replaceFirst(".*(step \\d+).*", "$1"));
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    return "exit %d after %d s".formatted(job.exitCode(), seconds);
  }

  private static void awaitStart(AmbProcess job) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!says(job, UNDER_WAY) && System.nanoTime() < end && !job.endsWithin(Duration.ZERO)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void cut(AmbProcess job) throws Exception {
    Namespace.loopback(job.pid(), "down");
    TimeUnit.SECONDS.sleep(CUT_SECONDS);
    Namespace.loopback(job.pid(), "up");
  }

  /** Connects to every port of the ranks until they run. */
  private static void greet(AmbProcess job) throws Exception {
    List<Socket> strangers = new ArrayList<>();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!says(job, UNDER_WAY) && System.nanoTime() < end && !job.endsWithin(Duration.ZERO)) {
      for (InetSocketAddress port : Listening.sockets(ranks(job))) {
        try {
          Socket stranger = new Socket("127.0.0.1", port.getPort());
          strangers.add(stranger);
          stranger
              .getOutputStream()
              .write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
          // The rank has closed the connection.
        }
      }
    }
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  private static List<ProcessHandle> ranks(AmbProcess job) {
    return job.living(words -> words.contains(PlainMpj.class.getName()) && !isLauncher(words));
  }

  private static boolean isLauncher(List<String> words) {
    return words.stream().anyMatch(word -> word.endsWith("/starter.jar"));
  }

  /**
   * Sends the signal. The script that started the launcher would end the ranks, so it is stopped
   * meanwhile.
   */
  private static String afterSignal(AmbProcess job, String fault) throws Exception {
    awaitStart(job);
    ProcessHandle script = job.handle();
    AmbProcess.signal("STOP", script);
    List<ProcessHandle> launcher = job.living(PlainMpjTest::isLauncher);
    for (ProcessHandle process : launcher) {
      AmbProcess.signal(fault.substring(LAUNCHER.length()), process);
    }
    TimeUnit.SECONDS.sleep(AFTER_SIGNAL_SECONDS);
    String seen = job.living(PlainMpjTest::isLauncher).isEmpty() ? "" : "the launcher lives; ";
    seen += "%d of 4 ranks live 5 s later".formatted(ranks(job).size());
    AmbProcess.signal("CONT", script);
    return seen;
  }
}
