package io.github.amb.runtime.train.host;

import io.github.amb.core.command.Program;
import io.github.amb.core.command.UsageException;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.host.BindAddress;
import io.github.amb.runtime.program.FailureText;
import io.github.amb.runtime.program.PluginLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/**
 * The check that runs on each host before any rank starts there. It reports the address that the
 * host's ranks will use, tests that the master is reachable, and reports what must be equal on all
 * hosts.
 */
public final class HostCheck {
  /** Prefix of each line for {@link HostSurvey}; a shell may print other lines. */
  static final String PREFIX = "amb-host ";

  static final String ADDRESS = "address ";
  static final String FACTS = "facts ";
  static final String PROBLEM = "problem ";

  private static final int CONNECT_MILLIS = 5000;

  private HostCheck() {}

  /**
   * Checks this host.
   *
   * @param arguments the value of {@code --bind}, or an empty text; the master's address and an
   *     open port there; then the arguments of {@code amb train}
   */
  public static void main(String[] arguments) {
    Program.start();
    try {
      Program.check(List.of(arguments));
      InetSocketAddress master =
          new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
      List<String> options = Arrays.asList(arguments).subList(3, arguments.length);
      String bind = arguments[0].isEmpty() ? null : arguments[0];
      InetAddress own = BindAddress.ofWorker(bind, master);
      reach(master, own);
      say(ADDRESS + own.getHostAddress());
      say(FACTS + facts(options).toLine());
    } catch (UsageException e) {
      e.getMessage().lines().forEach(line -> say(PROBLEM + line));
    } catch (Throwable e) {
      say(PROBLEM + FailureText.of(e));
    }
  }

  /**
   * What must be equal on all hosts.
   *
   * @param options of {@code amb train}, some of which may be those of plugins
   * @throws UsageException if an option, a plugin or the data cannot be used here
   */
  static HostFacts facts(List<String> options) {
    PluginLoader.startRank(options);
    return HostFacts.here(CommandLine.parse(options).settings());
  }

  private static void reach(InetSocketAddress master, InetAddress own) {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(own, 0));
      socket.connect(master, CONNECT_MILLIS);
    } catch (IOException e) {
      throw new UsageException(
          "cannot reach the master's address %s from %s: %s; choose another address with --bind"
              .formatted(
                  master.getAddress().getHostAddress(), own.getHostAddress(), e.getMessage()));
    }
  }

  private static void say(String line) {
    System.out.println(PREFIX + line);
  }
}
