package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Hosts on this machine: network namespaces, made by {@code scripts/netns-hosts}. */
final class NetworkHosts implements AutoCloseable {
  private static final Path SCRIPT = Path.of("../scripts/netns-hosts").toAbsolutePath().normalize();
  private static final long LIMIT_SECONDS = 30;

  private final String name = "amb" + ProcessHandle.current().pid() + "t";
  private final Path directory;

  private NetworkHosts(Path directory) {
    this.directory = directory;
  }

  /**
   * Creates hosts 1 to {@code count}; skips the test, with a message, if that is not permitted.
   *
   * @param directory receives a host file and a remote shell
   */
  static NetworkHosts up(Path directory, int count) throws IOException, InterruptedException {
    NetworkHosts hosts = new NetworkHosts(directory);
    hosts.need("network namespaces", "up", Integer.toString(count));
    StringBuilder file = new StringBuilder();
    for (int host = 1; host <= count; host++) {
      file.append(address(host)).append('\n');
    }
    Files.writeString(hosts.file(), file);
    Files.writeString(
        hosts.shell(),
        "#!/bin/bash\nhost=%s${1##*.}\nshift\nexec ip netns exec \"$host\" \"$@\"\n"
            .formatted(hosts.name));
    Files.setPosixFilePermissions(hosts.shell(), PosixFilePermissions.fromString("rwx------"));
    return hosts;
  }

  private static String address(int host) {
    return "10.77.0." + host;
  }

  private Path file() {
    return directory.resolve("hosts");
  }

  /** The payloads of all TCP segments that a relay has carried. */
  Path recorded() {
    return directory.resolve("recorded");
  }

  private Path shell() {
    return directory.resolve("shell");
  }

  /** Starts {@code amb} on the first host. */
  AmbProcess start(String command) throws IOException {
    return AmbProcess.start(directory, line(command));
  }

  /** The command line that starts {@code amb} on the first host. */
  List<String> line(String command) {
    return line(1, command, file());
  }

  /** Starts {@code amb} on a host, with a worker on another one. */
  AmbProcess start(Path place, String command, int master, int worker) throws IOException {
    return AmbProcess.start(place, line(place, command, master, worker));
  }

  /** Likewise, where the processes of the other hosts cannot be seen. */
  AmbProcess startElsewhere(Path place, String command, int master, int worker) throws IOException {
    List<String> line = line(place, command, master, worker);
    line.addAll(0, List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc"));
    return AmbProcess.start(place, line);
  }

  private List<String> line(Path place, String command, int master, int worker) throws IOException {
    Files.createDirectories(place);
    String both = address(master) + "\n" + address(worker) + "\n";
    return line(master, command, Files.writeString(place.resolve("hosts"), both));
  }

  private List<String> line(int host, String command, Path file) {
    List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", name + host));
    line.addAll(AmbProcess.line(command + " --hosts " + file + " --remote-shell " + shell()));
    return line;
  }

  /**
   * Starts a relay in place of a host's link, with the names of its two ends and further arguments;
   * it is killed with the hosts.
   */
  ProcessHandle relay(int host, Path program, String... words)
      throws IOException, InterruptedException {
    String bridge = name + "-bridge";
    String port = "port" + host;
    output("ip", "-n", bridge, "link", "set", port, "nomaster");
    output("ip", "-n", bridge, "link", "add", "far", "type", "veth", "peer", "name", "near");
    output("ip", "-n", bridge, "link", "set", "near", "master", "bridge", "up");
    output("ip", "-n", bridge, "link", "set", "far", "up");
    List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", bridge));
    line.addAll(List.of(program.toString(), port, "far"));
    line.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    builder.environment().put("RELAY_RECORD", recorded().toString());
    return builder.start().toHandle();
  }

  /**
   * Limits a host's link, such as {@code 20mbit}; skips the test, with a message, if the kernel
   * cannot.
   */
  void shape(int host, String rate) throws InterruptedException {
    need("tc tbf", "shape", Integer.toString(host), rate);
  }

  void cut(int host) throws InterruptedException {
    assertEquals("", run("cut", Integer.toString(host)));
  }

  void mend(int host) throws InterruptedException {
    assertEquals("", run("mend", Integer.toString(host)));
  }

  /** Kills all processes of a host, without a last message to others. */
  void powerOff(int host) throws IOException, InterruptedException {
    cut(host);
    for (String pid : processes(host)) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Ids of the processes on a host. */
  List<String> processes(int host) throws IOException, InterruptedException {
    return output("ip", "netns", "pids", name + host).lines().toList();
  }

  /** Bytes that a host has received over its link. */
  long received(int host) throws IOException, InterruptedException {
    String file = "/sys/class/net/eth0/statistics/rx_bytes";
    return Long.parseLong(output("ip", "netns", "exec", name + host, "cat", file).strip());
  }

  private void need(String what, String... action) throws InterruptedException {
    String failure = run(action);
    if (!failure.isEmpty()) {
      System.err.println("A test is skipped for want of " + what + ": " + failure);
      close();
    }
    assumeTrue(failure.isEmpty(), what + " are not to be had: " + failure);
  }

  /** Runs the script; returns its output if it failed, otherwise an empty text. */
  private String run(String... action) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of(SCRIPT.toString(), action[0], name));
    words.addAll(List.of(action).subList(1, action.length));
    try {
      output(words.toArray(String[]::new));
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static String output(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", words) + ": " + said.strip());
    }
    return said;
  }

  @Override
  public void close() {
    try {
      run("down");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
