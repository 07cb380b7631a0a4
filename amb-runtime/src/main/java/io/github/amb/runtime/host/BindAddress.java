package io.github.amb.runtime.host;

import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Chooses the address of a host that its ranks use: the one that {@code --bind} names, which is an
 * address of the master, or an interface or network of every host; otherwise the one from which a
 * host reaches the others.
 */
public final class BindAddress {
  private static final Pattern NUMERIC = Pattern.compile("[\\d.]+|[\\da-fA-F:]*:[\\da-fA-F:.]*");
  private static final int ANY_PORT = 9;

  private BindAddress() {}

  /**
   * The master's address; this host must be the master's.
   *
   * @param bind the value of {@code --bind}, or null
   * @param hosts hosts of the run, the master's first
   * @throws UsageException if {@code bind} is not on this host, or the first host is another one
   */
  public static InetAddress ofMaster(String bind, List<String> hosts) {
    InetAddress named = resolve(hosts.get(0));
    boolean here = named != null && isHere(named);
    if (!here && !isOwnName(hosts.get(0))) {
      throw new UsageException(
          "--hosts: expected this host, where the master runs, in the first line, found '%s'%s; start amb there, or move the line of this host to the top",
          hosts.get(0), named == null ? "" : ", " + named.getHostAddress());
    }
    if (bind != null) {
      return ofBind(bind);
    }
    if (here && !named.isLoopbackAddress()) {
      return named;
    }
    // Debian gives a host's own name 127.0.1.1, an address that is different on every host.
    return hosts.stream()
        .skip(1)
        .filter(host -> !host.equals(hosts.get(0)))
        .map(BindAddress::resolve)
        .filter(Objects::nonNull)
        .findFirst()
        .map(address -> towards(new InetSocketAddress(address, ANY_PORT)))
        .orElseGet(BindAddress::firstReachable);
  }

  /**
   * A worker's address on this host.
   *
   * @param bind the value of {@code --bind}, or null
   * @param master address of the master
   * @throws UsageException if {@code bind} is not on this host
   */
  public static InetAddress ofWorker(String bind, InetSocketAddress master) {
    boolean everywhere = bind != null && !isAddress(bind);
    return everywhere ? ofBind(bind) : towards(master);
  }

  private static boolean isAddress(String bind) {
    return !bind.contains("/") && (NUMERIC.matcher(bind).matches() || !isInterface(bind));
  }

  private static InetAddress ofBind(String bind) {
    if (bind.contains("/")) {
      Predicate<InetAddress> network = network(bind);
      return own(network).orElseThrow(() -> notHere(bind, "an address in that network"));
    }
    if (isAddress(bind)) {
      InetAddress address = resolve(bind);
      if (address == null || !isHere(address)) {
        throw notHere(bind, "an address or interface of this host");
      }
      return address;
    }
    return interfaces()
        .filter(device -> device.getName().equals(bind))
        .flatMap(NetworkInterface::inetAddresses)
        .min(BindAddress::byFamily)
        .orElseThrow(() -> notHere(bind, "an interface with an address"));
  }

  private static UsageException notHere(String bind, String expected) {
    String found =
        interfaces()
            .flatMap(
                device ->
                    device.inetAddresses().map(a -> device.getName() + " " + a.getHostAddress()))
            .sorted()
            .reduce((a, b) -> a + ", " + b)
            .orElse("none");
    return new UsageException(
        "--bind %s: expected %s, found %s on this host", bind, expected, found);
  }

  /**
   * Whether an address is in the network {@code a.b.c.d/bits}.
   *
   * @throws UsageException if the text is not a network
   */
  static Predicate<InetAddress> network(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2
        || !NUMERIC.matcher(parts[0]).matches()
        || !parts[1].matches("\\d{1,3}")
        || resolve(parts[0]) == null) {
      throw new UsageException(
          "--bind: expected a network such as 10.0.0.0/24, found '" + text + "'");
    }
    byte[] prefix = resolve(parts[0]).getAddress();
    int bits = Integer.parseInt(parts[1]);
    if (bits > prefix.length * Byte.SIZE) {
      throw new UsageException(
          "--bind: expected a network prefix of at most %d bits, found '%s'",
          prefix.length * Byte.SIZE, text);
    }
    return address -> startsWith(address.getAddress(), prefix, bits);
  }

  private static boolean startsWith(byte[] address, byte[] prefix, int bits) {
    int bytes = bits / Byte.SIZE;
    int mask = -1 << Byte.SIZE - bits % Byte.SIZE;
    return address.length == prefix.length
        && Arrays.equals(address, 0, bytes, prefix, 0, bytes)
        && (bytes == address.length || ((address[bytes] ^ prefix[bytes]) & mask & 0xff) == 0);
  }

  /**
   * The address from which this host reaches another; sends nothing.
   *
   * @throws UsageException if there is no route
   */
  private static InetAddress towards(InetSocketAddress other) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(other);
      return socket.getLocalAddress();
    } catch (IOException | RuntimeException e) {
      throw new UsageException("--hosts: no route from this host to %s: %s", other, e.getMessage());
    }
  }

  /** An address for hosts whose names are not known here, as in some Slurm clusters. */
  private static InetAddress firstReachable() {
    return own(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .orElseGet(InetAddress::getLoopbackAddress);
  }

  private static Optional<InetAddress> own(Predicate<InetAddress> wanted) {
    return interfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(wanted)
        .min(BindAddress::byFamily);
  }

  private static int byFamily(InetAddress one, InetAddress other) {
    return Integer.compare(one.getAddress().length, other.getAddress().length);
  }

  private static boolean isInterface(String name) {
    return interfaces().anyMatch(device -> device.getName().equals(name));
  }

  private static boolean isHere(InetAddress address) {
    return Reading.orElse(
        false,
        () -> address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null);
  }

  /** Whether a name that may be unknown elsewhere is this host's own, or its name in Slurm. */
  private static boolean isOwnName(String host) {
    return Reading.orElse(
        false,
        () ->
            host.equals(System.getenv("SLURMD_NODENAME"))
                || host.equals(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip()));
  }

  private static Stream<NetworkInterface> interfaces() {
    return Reading.orElse(Stream.empty(), NetworkInterface::networkInterfaces);
  }

  /** The address of a host, possibly with a user in front, as for ssh; null if unknown. */
  private static InetAddress resolve(String host) {
    return Reading.orElse(null, () -> InetAddress.getByName(host.substring(host.indexOf('@') + 1)));
  }
}
