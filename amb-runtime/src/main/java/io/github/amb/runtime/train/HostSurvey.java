package io.github.amb.runtime.train;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.RemoteShell;
import io.github.amb.runtime.launch.JvmCommand;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@link HostCheck} on all other hosts of a run at once, and compares the answers.
 *
 * @param settings of the run
 * @param shell starts the check on a host
 * @param bind the value of {@code --bind}, or null
 * @param master address of the master, this host
 * @param limitMillis limit for the answer of a host, in milliseconds
 */
record HostSurvey(
    Settings settings, RemoteShell shell, String bind, InetAddress master, long limitMillis) {
  private static final int AT_ONCE = 64;
  private static final int LINE_BYTES = 1 << 20;

  /** Tells this program's answers from what a shell prints. */
  private static final String TOKEN = UUID.randomUUID().toString();

  /**
   * Asks every host.
   *
   * @return the address of each
   * @throws UsageException with all problems of all hosts
   */
  Map<String, InetAddress> addresses(List<String> hosts) throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    Map<String, InetAddress> addresses = addresses(hosts, problems);
    UsageException.expectNone(problems);
    return addresses;
  }

  /**
   * Asks every host.
   *
   * @param problems receives all problems of all hosts
   * @return the address of each that has no problem
   */
  Map<String, InetAddress> addresses(List<String> hosts, List<String> problems)
      throws IOException, InterruptedException {
    Map<String, String> expected = HostFacts.here(settings);
    Map<String, InetAddress> addresses = new LinkedHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    try (ServerSocket door = door(master)) {
      Map<String, Future<HostFacts>> answers = new LinkedHashMap<>();
      for (String host : hosts) {
        Callable<HostFacts> question = () -> ask(host, door.getLocalPort());
        answers.put(host, pool.submit(question));
      }
      for (Map.Entry<String, Future<HostFacts>> answer : answers.entrySet()) {
        read(answer.getKey(), answer.getValue(), expected, addresses, problems);
      }
    } finally {
      pool.shutdownNow();
    }
    return addresses;
  }

  /** A port at which hosts show that they reach the master; it takes any number of connections. */
  static ServerSocket door(InetAddress master) throws IOException {
    ServerSocket door = new ServerSocket(0, AT_ONCE, master);
    Daemon.start("host-survey", () -> accept(door));
    return door;
  }

  /** Accepts until the socket is closed: a full queue locks further hosts out. */
  private static void accept(ServerSocket door) {
    while (!door.isClosed()) {
      try {
        door.accept().close();
      } catch (IOException e) {
        // The socket was closed, or the host is gone.
      }
    }
  }

  private static void read(
      String host,
      Future<HostFacts> answer,
      Map<String, String> expected,
      Map<String, InetAddress> addresses,
      List<String> problems)
      throws IOException, InterruptedException {
    List<String> found = new ArrayList<>();
    try {
      HostFacts facts = answer.get();
      found.addAll(facts.differences(expected));
      if (facts.address() != null && found.isEmpty()) {
        addresses.put(host, InetAddress.getByName(facts.address()));
      } else if (found.isEmpty()) {
        found.add("expected its address, found none");
      }
    } catch (ExecutionException e) {
      found.add(e.getCause().getMessage());
    }
    found.forEach(problem -> problems.add("host " + host + ": " + problem));
  }

  /** What the check on {@code host} has answered. */
  private HostFacts ask(String host, int port) throws IOException, InterruptedException {
    Process process = start(host);
    try {
      tell(process, port);
      Output output = new Output(process.getInputStream(), HostCheck.prefix(TOKEN));
      if (!process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "no answer within %.0f s to '%s': run it by hand, it must not ask for a password; or raise --start-limit"
                .formatted(limitMillis / 1e3, command(host)));
      }
      String answer = output.answer();
      if (answer.isEmpty()) {
        throw new IOException(
            "expected this program at the same path as here, found that '%s' exits with code %d: %s"
                .formatted(command(host), process.exitValue(), output.lastLine()));
      }
      return HostFacts.parse(answer);
    } finally {
      process.destroyForcibly();
    }
  }

  private void tell(Process process, int port) {
    List<String> arguments =
        new ArrayList<>(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:CompileThresholdScaling=5"));
    arguments.add("-Dfile.encoding=UTF-8");
    arguments.addAll(JvmCommand.sharedClasses());
    arguments.add("-D" + WorldLoader.JAR_PROPERTY + "=" + WorldLoader.findJar());
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.add(HostCheck.class.getName());
    arguments.addAll(List.of(TOKEN, bind == null ? "" : bind));
    arguments.addAll(List.of(master.getHostAddress(), "" + port));
    arguments.addAll(PluginLoader.option());
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String script = RemoteShell.script(Path.of("").toAbsolutePath(), Map.of(), java, arguments);
    try (OutputStream input = process.getOutputStream()) {
      input.write((script + settings.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The shell has ended; its output and exit code are read below.
    }
  }

  private Process start(String host) throws IOException {
    try {
      return shell.on(host).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException(
          "--remote-shell: expected a program that this host can run, found '%s': %s"
              .formatted(command(host), e.getMessage()),
          e);
    }
  }

  private String command(String host) {
    return String.join(" ", shell.on(host).command());
  }

  /**
   * A process's output, read to its end by a thread of its own: the answer in it, wherever it
   * stands on a line, and the last other line.
   */
  private static final class Output {
    private final String prefix;
    private final Thread reader;
    private String answer = "";
    private String lastLine = "no output";

    Output(InputStream in, String prefix) {
      this.prefix = prefix;
      reader = Daemon.start("host-check", () -> read(in));
    }

    private void read(InputStream in) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      try (InputStream buffered = new BufferedInputStream(in)) {
        for (int next = buffered.read(); next >= 0; next = buffered.read()) {
          if (next == '\n') {
            add(line.toString(StandardCharsets.UTF_8).strip());
            line.reset();
          } else if (line.size() < LINE_BYTES) {
            line.write(next);
          }
        }
      } catch (IOException e) {
        // Its process was killed.
      }
      add(line.toString(StandardCharsets.UTF_8).strip());
    }

    private synchronized void add(String line) {
      int start = line.indexOf(prefix);
      if (start >= 0) {
        answer = line.substring(start + prefix.length());
      } else if (!line.isEmpty()) {
        lastLine = line;
      }
    }

    String answer() throws InterruptedException {
      reader.join(TimeUnit.SECONDS.toMillis(2));
      synchronized (this) {
        return answer;
      }
    }

    synchronized String lastLine() {
      return lastLine;
    }
  }
}
