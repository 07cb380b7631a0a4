package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A namespace of the kernel in which a program runs: a network or file systems of its own. */
final class Namespace {
  private static final String UP = "ip link set lo up";

  /** Condition: the limit of open files suffices, as each used port is an open file. */
  private static final String MANY_FILES = UP + " && [ $(ulimit -Hn) -gt 16000 ]";

  private Namespace() {}

  /** The command line of a program with a loopback interface alone. */
  static List<String> network(List<String> program) throws IOException, InterruptedException {
    return network(UP, program);
  }

  /** The command line of a program in a network of its own, after some preparation. */
  static List<String> network(String preparation, List<String> program)
      throws IOException, InterruptedException {
    return line("--net", preparation, program);
  }

  /** The command line of a program with a small file system at a place. */
  static List<String> smallDisk(Path place, List<String> program)
      throws IOException, InterruptedException {
    Files.createDirectories(place);
    return line("--mount", "mount -t tmpfs -o size=2m tmpfs " + place, program);
  }

  /** The command line of a program on a host on which each port of a range is in use. */
  static List<String> withoutPorts(int first, int last, List<String> program)
      throws IOException, InterruptedException {
    List<String> taker = new ArrayList<>();
    taker.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    taker.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            PortTaker.class.getName()));
    taker.addAll(List.of(Integer.toString(first), Integer.toString(last)));
    taker.addAll(program);
    return network(MANY_FILES, taker);
  }

  /** The command line of a program in a namespace; skips the test if that is impossible here. */
  private static List<String> line(String kind, String preparation, List<String> program)
      throws IOException, InterruptedException {
    String problem = "no unshare";
    try {
      Process probe =
          new ProcessBuilder(shell(kind, preparation)).redirectErrorStream(true).start();
      String said =
          new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      problem = probe.waitFor() == 0 ? "" : "exit code " + probe.exitValue() + ": " + said;
    } catch (IOException e) {
      problem = e.getMessage();
    }
    if (!problem.isEmpty()) {
      System.err.println("A test is skipped for want of a namespace: " + problem);
    }
    assumeTrue(problem.isEmpty(), "no namespace with '" + preparation + "': " + problem);
    List<String> line = shell(kind, preparation + " && exec \"$@\"");
    line.addAll(program);
    return line;
  }

  private static List<String> shell(String kind, String script) {
    // Other users than root need a user namespace for it.
    return new ArrayList<>(List.of("unshare", "--map-root-user", kind, "sh", "-c", script, "sh"));
  }

  /** Sets the loopback interface of a process' network {@code up} or {@code down}. */
  static void loopback(long pid, String state) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("nsenter", "--preserve-credentials", "-U", "-n"));
    line.addAll(List.of("-t", Long.toString(pid), "ip", "link", "set", "lo", state));
    int code = new ProcessBuilder(line).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", line) + " exits with " + code);
    }
  }
}
