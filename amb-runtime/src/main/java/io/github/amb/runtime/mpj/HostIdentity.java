package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * What tells hosts apart whose ranks may meet on one machine: the machine as it was booted, and the
 * network namespace. Containers and namespaces with a network of their own are hosts of their own,
 * whose links are to carry what their ranks send.
 */
final class HostIdentity {
  /** This process' host; letters, digits and dashes. */
  static final String OWN =
      of(Path.of("/proc/sys/kernel/random/boot_id"), Path.of("/proc/self/ns/net"));

  private HostIdentity() {}

  /** Made of a file's text and a link's target; either counts where the other is not to be had. */
  static String of(Path boot, Path network) {
    String text = said(() -> Files.readString(boot)) + said(() -> Files.readSymbolicLink(network));
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private interface Source {
    Object read() throws IOException;
  }

  private static String said(Source source) {
    try {
      return source.read().toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }
}
