package io.github.amb.runtime.train;

import io.github.amb.core.command.Program;
import io.github.amb.core.command.UsageException;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.host.BindAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/**
 * Run on each host before any rank is started there: says which address its ranks will use, that
 * the master can be reached from there, and what must be the same as at the master.
 */
public final class HostCheck {
  /** Before each line that is for {@link HostSurvey}; a shell may print others. */
  static final String PREFIX = "amb-host ";

  static final String ADDRESS = "address ";
  static final String FACTS = "facts ";
  static final String PROBLEM = "problem ";

  private static final int CONNECT_MILLIS = 5000;

  private HostCheck() {}

  /**
   * Checks this host.
   *
   * @param arguments what {@code --bind} says, or an empty text; the master's address and a port
   *     that is open there; then those of {@code amb train}
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
      say(FACTS + HostFacts.here(CommandLine.parse(options).settings()).toLine());
    } catch (UsageException e) {
      e.getMessage().lines().forEach(line -> say(PROBLEM + line));
    } catch (Throwable e) {
      say(PROBLEM + Amb.describe(e));
    }
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
