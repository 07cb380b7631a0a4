package io.github.amb.runtime.train;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.command.Program;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.host.BindAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The check that runs on each host before any rank starts there. It reports the address that the
 * host's ranks will use, tests that the master is reachable, and reports what must be equal on all
 * hosts.
 */
public final class HostCheck {
  private static final String PREFIX = "amb-host ";

  private static final int CONNECT_MILLIS = 5000;

  private HostCheck() {}

  /**
   * Checks this host for the run whose settings are on standard input.
   *
   * @param arguments the survey's token; the value of {@code --bind}, or an empty text; the
   *     master's address and an open port there; then {@code --plugins} if there are any
   */
  public static void main(String[] arguments) {
    Program.start();
    // A prompt or a window title may stand on the line.
    System.out.println();
    String address = null;
    Map<String, String> facts = Map.of();
    List<String> problems = new ArrayList<>();
    try {
      Program.check(List.of(arguments));
      InetSocketAddress master =
          new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
      List<String> options = Arrays.asList(arguments).subList(4, arguments.length);
      String bind = arguments[1].isEmpty() ? null : arguments[1];
      InetAddress own = BindAddress.ofWorker(bind, master);
      reach(master, own);
      address = own.getHostAddress();
      byte[] input = System.in.readAllBytes();
      facts = facts(options, new String(input, StandardCharsets.UTF_8));
    } catch (UsageException e) {
      e.getMessage().lines().forEach(problems::add);
    } catch (Throwable e) {
      problems.add(FailureText.of(e));
    }
    System.out.println(prefix(arguments[0]) + new HostFacts(address, facts, problems).toLine());
  }

  /**
   * What precedes the answer on its line; a shell may print other lines.
   *
   * @param token of one survey, which no banner has
   */
  static String prefix(String token) {
    return PREFIX + token + " ";
  }

  /**
   * What must be equal on all hosts.
   *
   * @param plugins {@code --plugins} and jars, or nothing
   * @param settings of the run, in JSON
   * @throws UsageException if an option, a plugin or the data cannot be used here
   */
  static Map<String, String> facts(List<String> plugins, String settings) throws IOException {
    PluginLoader.startRank(plugins);
    return HostFacts.here(RecordedSettings.parse(settings));
  }

  private static void reach(InetSocketAddress master, InetAddress own) {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(own, 0));
      socket.connect(master, CONNECT_MILLIS);
    } catch (IOException e) {
      throw new UsageException(
          "cannot reach the master's address %s from %s: %s; choose another address with --bind",
          master.getAddress().getHostAddress(), own.getHostAddress(), e.getMessage());
    }
  }
}
