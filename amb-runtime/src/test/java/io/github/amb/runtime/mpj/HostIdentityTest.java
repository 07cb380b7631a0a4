package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostIdentityTest {
  @TempDir Path directory;

  @Test
  void machineAndNetworkBothCount() throws IOException {
    String one = identity("boot-1", "net:[1]");
    assertEquals(one, identity("boot-1", "net:[1]"));
    assertNotEquals(one, identity("boot-2", "net:[1]"));
    assertNotEquals(one, identity("boot-1", "net:[2]"));
    assertTrue(one.matches("[\\w-]+"), one);
  }

  @Test
  void whatASystemDoesNotSayIsLeftOut() {
    Path none = directory.resolve("none");
    assertEquals(HostIdentity.of(none, none), HostIdentity.of(none, none));
  }

  private String identity(String boot, String network) throws IOException {
    Path file = Files.writeString(directory.resolve("boot_id"), boot + "\n");
    Path link = directory.resolve("net");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of(network));
    return HostIdentity.of(file, link);
  }
}
