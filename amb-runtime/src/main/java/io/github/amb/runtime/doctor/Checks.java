package io.github.amb.runtime.doctor;

import io.github.amb.core.command.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.mpj.WorldLoader;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarFile;

/** One method per thing that a run needs of its machine. */
final class Checks {
  private static final int OLDEST_JAVA = 17;
  private static final long RANK_MEMORY_MB = 700;
  private static final int MB = 1 << 20;

  private Checks() {}

  static Finding java() {
    String found = System.getProperty("java.vm.name") + " " + Runtime.version();
    return Runtime.version().feature() >= OLDEST_JAVA
        ? Finding.ok("java", found)
        : Finding.failed("java", found, "install a JDK of 17 or newer, or set JAVA_HOME");
  }

  static Finding mpj() {
    try {
      Path jar = WorldLoader.findJar();
      try (JarFile file = new JarFile(jar.toFile())) {
        if (file.getEntry("xdev/niodev/NIODevice.class") == null) {
          return Finding.failed("mpj", jar + " is not MPJ Express", "install Debian's libmpj-java");
        }
        return Finding.ok("mpj", jar.toRealPath() + ", " + Files.size(jar) + " bytes");
      }
    } catch (UsageException e) {
      return Finding.failed("mpj", e.getMessage(), "runs with --workers 0 work without");
    } catch (IOException e) {
      return Finding.failed("mpj", e.getMessage(), "install Debian's libmpj-java again");
    }
  }

  /** Asked of a network with convolutions, which is what the natives decide about. */
  static Finding natives() {
    try {
      Map<String, String> facts = Networks.describeEngine();
      String found =
          "gradients by %s %s, ND4J's natives %s, helper %s"
              .formatted(
                  facts.get("gradient_engine"),
                  facts.getOrDefault("onednn_version", facts.get("nd4j_version")),
                  facts.get("nd4j_natives"),
                  facts.get("convolution_helper"));
      return facts.get("gradient_engine").equals("oneDNN")
          ? Finding.ok("natives", found)
          : Finding.warning(
              "natives", found, "gradients are computed without oneDNN; build anew on this host");
    } catch (RuntimeException | LinkageError e) {
      return Finding.failed("natives", e.toString(), "build anew on this kind of machine");
    }
  }

  static Finding cores(int workers) {
    int cores = Runtime.getRuntime().availableProcessors();
    String found = "%d cores for %d ranks".formatted(cores, workers + 1);
    return workers + 1 <= cores
        ? Finding.ok("cores", found)
        : Finding.warning(
            "cores", found, "times are not those of a cluster: fewer --workers, or --engine sim");
  }

  static Finding memory(int workers) throws IOException {
    Path info = Path.of("/proc/meminfo");
    if (!Files.isReadable(info)) {
      return Finding.warning("memory", "unknown on this system", "see to it yourself");
    }
    long available =
        Files.readAllLines(info).stream()
            .filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024 / MB)
            .findFirst()
            .orElse(0);
    long needed = (workers + 1) * RANK_MEMORY_MB;
    String found =
        "%d MB available, about %d MB for %d ranks".formatted(available, needed, workers + 1);
    return available >= needed
        ? Finding.ok("memory", found)
        : Finding.warning("memory", found, "fewer --workers, or a smaller --worker-heap");
  }

  static Finding fonts() {
    try {
      int fonts =
          GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length;
      return fonts > 0
          ? Finding.ok("fonts", fonts + " families")
          : Finding.warning("fonts", "none", "amb plot needs one: install fonts-dejavu-core");
    } catch (RuntimeException | LinkageError e) {
      return Finding.warning(
          "fonts", e.toString(), "amb plot needs some: install fontconfig and fonts-dejavu-core");
    }
  }

  static Finding ports() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Finding.ok("ports", "can listen on " + socket.getLocalSocketAddress());
    } catch (IOException e) {
      return Finding.failed(
          "ports",
          e.getMessage(),
          "ranks meet on the loopback address: allow them to listen there");
    }
  }

  /** Debian's /etc/hosts gives a host's own name an address that no other host can reach. */
  static Finding host() throws IOException {
    try {
      InetAddress own = InetAddress.getLocalHost();
      String found = own.getHostName() + " is " + own.getHostAddress();
      if (own.isLoopbackAddress()) {
        return Finding.warning(
            "host",
            found,
            "fine for runs on this machine; for several, give the name its true address in /etc/hosts");
      }
      return NetworkInterface.getByInetAddress(own) == null
          ? Finding.failed("host", found + ", which no interface has", "correct /etc/hosts")
          : Finding.ok("host", found);
    } catch (UnknownHostException e) {
      return Finding.warning(
          "host",
          e.getMessage(),
          "fine for amb train; scripts/mpjrun looks up this host's name: add it to /etc/hosts");
    }
  }

  static Finding disk(Path runs) throws IOException {
    Path existing = runs.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    long free = Files.getFileStore(existing).getUsableSpace() / MB;
    String found = free + " MB free for " + runs;
    if (!Files.isWritable(existing)) {
      return Finding.failed(
          "disk", existing + " cannot be written to", "choose another --runs-dir");
    }
    return free >= RANK_MEMORY_MB
        ? Finding.ok("disk", found)
        : Finding.warning("disk", found, "checkpoints may not fit: make room");
  }

  /**
   * @param directory where the files are; null for the usual place
   */
  static Finding data(String dataSet, Path directory) {
    try {
      Map<String, String> sums = DataSets.checksums(dataSet, directory);
      DataSets.load(dataSet, directory, 1);
      return Finding.ok("data", dataSet + ", " + sums.size() + " files, read and checked");
    } catch (UsageException e) {
      return Finding.failed(
          "data",
          e.getMessage().replace('\n', ' '),
          "amb data fetch %s --data-dir DIR".formatted(dataSet));
    }
  }
}
