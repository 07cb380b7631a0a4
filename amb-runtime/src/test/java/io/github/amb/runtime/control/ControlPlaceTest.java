package io.github.amb.runtime.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

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
