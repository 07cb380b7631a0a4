package io.github.amb.runtime.mpj;

import io.github.amb.core.file.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identifies a host among those whose ranks may share one machine: the boot of the machine, and the
 * network namespace. A container or namespace with a network of its own counts as a host, so that
 * its ranks use its links.
 */
final class HostIdentity {
  /** This process' host; letters, digits and dashes. */
  static final String OWN =
      of(Path.of("/proc/sys/kernel/random/boot_id"), Path.of("/proc/self/ns/net"));

  private HostIdentity() {}

  /** Combines a file's text and a link's target; an unreadable one is left out. */
  static String of(Path boot, Path network) {
    String text =
        Reading.orElse("", () -> Files.readString(boot))
            + Reading.<Object>orElse("", () -> Files.readSymbolicLink(network));
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
