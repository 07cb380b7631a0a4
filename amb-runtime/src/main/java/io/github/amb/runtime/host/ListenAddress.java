package io.github.amb.runtime.host;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens.
 *
 * @param host an address or a name of this machine
 * @param port 0 for any free one
 */
public record ListenAddress(String host, int port) {
  /** What {@link #parse} accepts, in words. */
  public static final String RANGE = "a port, 0 for any free one, or ADDRESS:PORT";

  private static final String LOOPBACK = "127.0.0.1";
  private static final Pattern FORM =
      Pattern.compile("(?:(\\[[\\da-fA-F:.]+]|[\\w.-]+):)?(\\d{1,5})");
  private static final int MAX = 65_535;

  /**
   * Parses {@code PORT}, which is one of this machine alone, or {@code ADDRESS:PORT}.
   *
   * @throws IllegalArgumentException if {@code text} is neither
   */
  public static ListenAddress parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches() || Integer.parseInt(found.group(2)) > MAX) {
      throw new IllegalArgumentException("expected %s, found '%s'".formatted(RANGE, text));
    }
    String host = found.group(1) == null ? LOOPBACK : found.group(1).replaceAll("[\\[\\]]", "");
    return new ListenAddress(host, Integer.parseInt(found.group(2)));
  }

  /** Whether {@code other} is the same port, not 0, of the same address, however it is written. */
  public boolean isSame(ListenAddress other) {
    return port != 0
        && new InetSocketAddress(host, port).equals(new InetSocketAddress(other.host, other.port));
  }

  /**
   * Checks that a server can listen here now.
   *
   * @param option the option that names this address, for the message
   * @param meanwhile called while the port is taken: checks of other addresses
   * @throws UsageException if none can
   */
  public void check(String option, Runnable meanwhile) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      meanwhile.run();
    } catch (IOException e) {
      throw new UsageException(
          "--%s: expected a free port of this machine, found %s:%d (%s); choose another one, or 0 for any free port",
          option, host, port, e.getMessage());
    }
  }
}
