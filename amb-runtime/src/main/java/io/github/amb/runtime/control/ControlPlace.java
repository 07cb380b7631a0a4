package io.github.amb.runtime.control;

import io.github.amb.core.file.Closing;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.runtime.net.Channel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Where a launcher listens for its ranks: on a port, or at a file that only its user can access.
 */
final class ControlPlace {
  private static final String FILE = "file:";
  private static final String SOCKET = "control";
  private static final String DIRECTORY = "amb-control-";

  /** A younger directory may be of a launcher that is about to listen. */
  private static final Duration OLD = Duration.ofMinutes(1);

  private ControlPlace() {}

  /** Listens on a free port of an address. */
  static ServerSocketChannel listen(InetAddress address, int backlog) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(address, 0), backlog);
    return server;
  }

  /**
   * Listens at a file in a new directory, which {@link #remove} removes. Directories of killed
   * launchers are removed, too.
   */
  static ServerSocketChannel listenHere(int backlog) throws IOException {
    Path directory = SharedPlace.fresh(DIRECTORY);
    sweep(directory.getParent());
    ServerSocketChannel server = null;
    try {
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(directory.resolve(SOCKET)), backlog);
      return server;
    } catch (IOException | UnsupportedOperationException e) {
      if (server != null) {
        server.close();
      }
      Files.deleteIfExists(directory);
      throw new IOException(directory + ": " + e.getMessage(), e);
    }
  }

  private static void sweep(Path parent) {
    Instant before = Instant.now().minus(OLD);
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, DIRECTORY + "*")) {
      for (Path directory : found) {
        if (SharedPlace.isOwn(directory)
            && SharedPlace.isOwnSocket(directory.resolve(SOCKET))
            && Files.getLastModifiedTime(directory).toInstant().isBefore(before)) {
          removeIfDeaf(UnixDomainSocketAddress.of(directory.resolve(SOCKET)));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // What is left stays until the next launcher starts.
    }
  }

  /**
   * Removes a place where nobody listens. Does not wait: a launcher that is stopped may have as
   * many connections as it can without accepting one.
   */
  private static void removeIfDeaf(UnixDomainSocketAddress address) {
    try (SocketChannel channel = channel(address)) {
      channel.configureBlocking(false);
      channel.connect(address);
    } catch (ConnectException e) {
      remove(address);
    } catch (IOException e) {
      // A launcher listens, or the file is being removed.
    }
  }

  /** An address in one word. */
  static String text(SocketAddress address) {
    return address instanceof UnixDomainSocketAddress file
        ? FILE + file.getPath()
        : Channel.text(address);
  }

  /** The address that {@link #text} wrote. */
  static SocketAddress parse(String text) {
    if (text.startsWith(FILE)) {
      return UnixDomainSocketAddress.of(text.substring(FILE.length()));
    }
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** An unconnected channel for an address. */
  static SocketChannel channel(SocketAddress address) throws IOException {
    return address instanceof UnixDomainSocketAddress
        ? SocketChannel.open(StandardProtocolFamily.UNIX)
        : SocketChannel.open();
  }

  /**
   * Removes the file and its directory, if there are any; another process may have removed them.
   */
  static void remove(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress file) {
      Closing.quietly(() -> Files.deleteIfExists(file.getPath()));
      // Where the file stays, so does its directory.
      Closing.quietly(() -> Files.deleteIfExists(file.getPath().toAbsolutePath().getParent()));
    }
  }
}
