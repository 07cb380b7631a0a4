package io.github.amb.runtime.lock;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Reading;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Identifies the machine of this process: the boot of its kernel, and its namespace of process
 * numbers. Only on the same machine does a number tell whether a process lives.
 */
public final class BootIdentity {
  /** Its identity, without spaces. Processes with equal identities see each other's numbers. */
  static final String ID = id();

  /** Name of the host, for people; "unknown" if it has no address. */
  public static final String HOST = host();

  private static final Path PROC = Path.of("/proc");
  private static final int START_FIELD = 19;

  private BootIdentity() {}

  private static String id() {
    Path proc = Path.of("/proc");
    // Where other users' processes are hidden, a hidden one looks like one that has ended.
    if (!Files.isReadable(proc.resolve("1/stat"))) {
      return Files.isDirectory(proc.resolve("self")) ? UUID.randomUUID().toString() : host();
    }
    try {
      String boot = Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
      return boot + ":" + Files.readSymbolicLink(proc.resolve("self/ns/pid"));
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  private static String host() {
    return Reading.orElse("unknown", () -> InetAddress.getLocalHost().getHostName());
  }

  /**
   * Start time of a process of this machine, in the kernel's ticks since the boot, independent of
   * clock changes; empty if it has ended. A zombie has ended.
   */
  static String start(long pid) {
    if (!Files.isDirectory(PROC.resolve("self"))) {
      return ProcessHandle.of(pid)
          .flatMap(p -> p.info().startInstant())
          .map(String::valueOf)
          .orElse("");
    }
    try {
      byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/stat"));
      String stat = new String(bytes, StandardCharsets.ISO_8859_1);
      // The program's name is in parentheses, and may have spaces.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return "ZX".contains(fields[0]) ? "" : fields[START_FIELD];
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Number of a process of this machine and user with that {@code NAME=value} in its environment; 0
   * if there is none.
   */
  static long withVariable(String variable) {
    return Reading.orElse(List.<String>of(), () -> Folder.names(PROC)).stream()
        .filter(name -> name.matches("\\d{1,18}") && environment(name).contains(variable))
        .findAny()
        .map(Long::valueOf)
        .orElse(0L);
  }

  private static List<String> environment(String process) {
    Path file = PROC.resolve(process).resolve("environ");
    // It is empty if the process has ended, or is another user's.
    byte[] bytes = Reading.orElse(new byte[0], () -> Files.readAllBytes(file));
    return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0"));
  }
}
