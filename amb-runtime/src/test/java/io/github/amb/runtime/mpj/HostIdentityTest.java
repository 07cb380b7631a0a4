package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostIdentityTest {
  @TempDir Path directory;

  /** Says which host its process is on. */
  static final class Asked {
    private Asked() {}

    public static void main(String[] args) {
      System.out.print(HostIdentity.OWN);
    }
  }

  @Test
  void machineAndNetworkBothCount() throws IOException {
    String one = identity("boot-1", "net:[1]");
    assertEquals(one, identity("boot-1", "net:[1]"));
    assertNotEquals(one, identity("boot-2", "net:[1]"));
    assertNotEquals(one, identity("boot-1", "net:[2]"));
    assertTrue(one.matches("[\\w-]+"), one);
  }

  @Test
  void whatThereIsCountsWhereTheOtherIsNotToBeHad() throws IOException {
    Path none = directory.resolve("none");
    Set<String> all =
        Stream.of(
                HostIdentity.of(none, none),
                HostIdentity.of(boot("boot-1"), none),
                HostIdentity.of(boot("boot-2"), none),
                HostIdentity.of(none, network("net:[1]")),
                HostIdentity.of(none, network("net:[2]")),
                identity("boot-1", "net:[1]"))
            .collect(Collectors.toSet());
    assertEquals(6, all.size());
    assertEquals(HostIdentity.of(none, none), HostIdentity.of(none, none));
  }

  @Test
  @Tag("lab")
  @EnabledOnOs(OS.LINUX)
  void aNetworkNamespaceIsAHost() throws Exception {
    assertEquals(HostIdentity.OWN, asked(List.of()));
    Path network = Path.of("/proc/self/ns/net");
    assertNotEquals(HostIdentity.of(directory.resolve("none"), network), HostIdentity.OWN);
    List<String> apart = List.of("unshare", "--user", "--map-root-user", "--net");
    assumeTrue(succeeds(apart), "no network namespaces here");
    assertNotEquals(HostIdentity.OWN, asked(apart));
  }

  private static boolean succeeds(List<String> prefix) throws InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // There is no such program.
    }
  }

  private static String asked(List<String> prefix) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Asked.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return said;
  }

  private String identity(String boot, String network) throws IOException {
    return HostIdentity.of(boot(boot), network(network));
  }

  private Path boot(String text) throws IOException {
    return Files.writeString(directory.resolve("boot_id"), text + "\n");
  }

  private Path network(String target) throws IOException {
    Path link = directory.resolve("net");
    Files.deleteIfExists(link);
    return Files.createSymbolicLink(link, Path.of(target));
  }
}
