package io.github.amb.runtime.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaceTest {
  @Test
  void placesOfKilledLaunchersAreRemoved() throws IOException {
    Path killed = directory(listen());
    Path young = directory(listen());
    age(killed);
    ServerSocketChannel alive = ControlPlace.listenHere(8);
    age(directory(alive.getLocalAddress()));
    try (ServerSocketChannel next = ControlPlace.listenHere(8)) {
      assertFalse(Files.exists(killed));
      assertTrue(Files.exists(young));
      assertTrue(Files.exists(directory(alive.getLocalAddress())));
      ControlPlace.remove(next.getLocalAddress());
    } finally {
      ControlPlace.remove(alive.getLocalAddress());
      alive.close();
      ControlPlace.remove(UnixDomainSocketAddress.of(young.resolve("control")));
    }
  }

  /** Other users may plant directories in the temporary one that look like a launcher's. */
  @Test
  @Timeout(60)
  void onlySocketsOfThisUserAreSwept(@TempDir Path elsewhere) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path linked = temporary.resolve("amb-control-" + System.nanoTime());
    Path file = Files.writeString(elsewhere.resolve("control"), "precious");
    age(elsewhere);
    Files.createSymbolicLink(linked, elsewhere);
    Path own = Files.createTempDirectory("amb-control-");
    Files.writeString(own.resolve("control"), "precious");
    age(own);
    try (ServerSocketChannel next = ControlPlace.listenHere(8)) {
      ControlPlace.remove(next.getLocalAddress());
      assertTrue(Files.exists(file));
      assertTrue(Files.exists(own.resolve("control")));
    } finally {
      Files.delete(linked);
      Files.delete(own.resolve("control"));
      Files.delete(own);
    }
  }

  @Test
  @Timeout(60)
  void aLauncherThatAcceptsNothingDoesNotBlockTheNext() throws IOException {
    ServerSocketChannel stopped = ControlPlace.listenHere(1);
    List<SocketChannel> waiting = new ArrayList<>();
    try (ServerSocketChannel closed = stopped) {
      SocketAddress address = closed.getLocalAddress();
      age(directory(address));
      boolean full = false;
      while (!full) {
        SocketChannel channel = ControlPlace.channel(address);
        waiting.add(channel);
        channel.configureBlocking(false);
        full = !connects(channel, address);
      }
      try (ServerSocketChannel next = ControlPlace.listenHere(8)) {
        ControlPlace.remove(next.getLocalAddress());
      }
      assertTrue(Files.exists(directory(address)));
      ControlPlace.remove(address);
    } finally {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
    }
  }

  private static boolean connects(SocketChannel channel, SocketAddress address) throws IOException {
    try {
      return channel.connect(address);
    } catch (SocketException e) {
      return false;
    }
  }

  /** As a launcher leaves its place that is killed. */
  private static SocketAddress listen() throws IOException {
    try (ServerSocketChannel server = ControlPlace.listenHere(8)) {
      return server.getLocalAddress();
    }
  }

  private static Path directory(SocketAddress address) {
    return ((UnixDomainSocketAddress) address).getPath().getParent();
  }

  private static void age(Path directory) throws IOException {
    Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
  }
}
