package io.github.amb.runtime.doctor;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.device.DeviceException;
import io.github.amb.models.device.Gpu;
import io.github.amb.models.device.GpuBackend;
import io.github.amb.runtime.host.CoreShare;
import io.github.amb.runtime.host.MemoryShare;
import io.github.amb.runtime.mpj.RankPorts;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The checks of this machine, one method each. */
record Checks(CheckedMachine machine) {
  private static final Pattern MPJ_VERSION = Pattern.compile("mpj-(\\d[\\w.+~-]*)\\.jar");
  private static final String WITHOUT_GPUS = "runs with --device cpu do not need it";
  private static final int OLDEST_JAVA = 17;
  private static final long MIN_DISK_MB = 700;

  /** Bytes of a record in a log, the largest of step and worker records that runs have written. */
  private static final int RECORD_BYTES = 340;

  private static final int MB = 1 << 20;
  private static final int CONNECT_MILLIS = 5000;

  Finding java() {
    Runtime.Version version = machine.java();
    String found = System.getProperty("java.vm.name") + " " + version;
    return version.feature() >= OLDEST_JAVA
        ? Finding.ok("java", found)
        : Finding.failed("java", found, "install a JDK of 17 or newer, or set JAVA_HOME");
  }

  /** Checks the engine of a network with convolutions, which depends on the native code. */
  Finding natives() {
    try {
      Map<String, String> facts = machine.engine();
      String found =
          "gradients by %s %s, ND4J's natives %s, helper %s"
              .formatted(
                  facts.get("gradient_engine"),
                  facts.getOrDefault("onednn_version", facts.get("nd4j_version")),
                  facts.get("nd4j_natives"),
                  facts.get("convolution_helper"));
      return Finding.check(
          facts.get("gradient_engine").equals("oneDNN"),
          "natives",
          found,
          "gradients are computed without oneDNN: run scripts/build on this host");
    } catch (RuntimeException | LinkageError e) {
      return Finding.failed("natives", Finding.reason(e), "run scripts/build on this host");
    }
  }

  Finding cores(int workers) {
    CoreShare share = new CoreShare(machine.cores(), workers + 1);
    return Finding.check(share.isEnough(), "cores", share.found(), CoreShare.REMEDY);
  }

  Finding memory(int workers) {
    return MemoryShare.of(machine.memoryInfo(), workers)
        .map(s -> Finding.check(s.isEnough(), "memory", s.found(), MemoryShare.REMEDY))
        .orElseGet(() -> Finding.warning("memory", "unknown on this system", "check it by hand"));
  }

  Finding fonts() {
    try {
      int fonts = machine.fontFamilies();
      return fonts > 0
          ? Finding.ok("fonts", fonts + " families")
          : Finding.warning("fonts", "none", "amb plot needs one: install fonts-dejavu-core");
    } catch (RuntimeException | LinkageError e) {
      return Finding.warning(
          "fonts",
          Finding.reason(e),
          "amb plot needs some: install fontconfig and fonts-dejavu-core");
    }
  }

  /** Checks that a port can be listened on and connected to, as ranks do. */
  Finding ports() {
    try (ServerSocket door = RankPorts.listen(machine.rankAddress())) {
      return connect(door.getLocalSocketAddress());
    } catch (IOException e) {
      return Finding.failed("ports", e.getMessage(), ""); // The message says what to do.
    }
  }

  private static Finding connect(SocketAddress door) {
    try (Socket visitor = new Socket()) {
      visitor.connect(door, CONNECT_MILLIS);
      return Finding.ok("ports", "can listen on " + door + " and connect to it");
    } catch (IOException e) {
      return Finding.failed(
          "ports",
          "can listen on " + door + ", but not connect to it: " + e.getMessage(),
          "ranks connect at this address: enable its interface, and allow connections from this host in the firewall");
    }
  }

  /**
   * Checks the address of this host's name. Debian's /etc/hosts gives it one that no other host can
   * reach.
   */
  Finding host() throws IOException {
    try {
      InetAddress own = machine.ownHost();
      String found = own.getHostName() + " is " + own.getHostAddress();
      if (own.isLoopbackAddress()) {
        return Finding.warning(
            "host",
            found,
            "fine for runs on this host; for several hosts, give the name its true address in /etc/hosts");
      }
      return machine.hasInterface(own)
          ? Finding.ok("host", found)
          : Finding.failed("host", found + ", which no interface has", "correct /etc/hosts");
    } catch (UnknownHostException e) {
      return Finding.warning(
          "host",
          e.getMessage(),
          "fine for amb train; scripts/mpjrun looks up this host's name: add it to /etc/hosts");
    }
  }

  /**
   * The disk of the runs: room, and for how many steps' records it suffices.
   *
   * @param runs where run directories are to be
   * @param workers number of workers, each of which has a record per step
   */
  Finding disk(Path runs, int workers) {
    Path existing = runs.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      return Finding.failed("disk", existing + " is not a directory", "choose another --runs-dir");
    }
    if (!machine.isWritable(existing)) {
      return Finding.failed("disk", "cannot write to " + existing, "choose another --runs-dir");
    }
    long free = machine.usableBytes(existing) / MB;
    String found =
        format(
            "%d MB free for %s: the records of %.1f million steps with %s",
            free,
            runs,
            (double) free / (workers + 1) / RECORD_BYTES * MB / 1e6,
            CoreShare.workers(workers));
    return Finding.check(free >= MIN_DISK_MB, "disk", found, "checkpoints may not fit: make room");
  }

  /** Checks whether ranks can use MPJ Express. */
  Finding mpj() {
    Path jar;
    try {
      jar = WorldLoader.findJar();
    } catch (UsageException e) {
      return Finding.failed("mpj", e.getMessage(), "runs with --workers 0 do not need it");
    }
    try {
      WorldLoader.check(jar);
      return Finding.ok(
          "mpj", "%s, %s, %s bytes".formatted(jar.toRealPath(), version(jar), Files.size(jar)));
    } catch (IOException e) {
      return Finding.failed(
          "mpj",
          e.getMessage() + ": " + Finding.reason(e),
          "install Debian's libmpj-java again, or set MPJ_HOME to another MPJ Express 0.44");
    }
  }

  /**
   * The version in the file name, to which Debian's link leads, or in the manifest; otherwise the
   * version that its classes match.
   */
  private static String version(Path jar) throws IOException {
    Matcher named = MPJ_VERSION.matcher(jar.toRealPath().getFileName().toString());
    String version = named.matches() ? named.group(1) : stated(jar);
    return version == null ? "its classes are those of 0.44" : "version " + version;
  }

  private static String stated(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      return manifest == null
          ? null
          : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    }
  }

  /**
   * Checks whether ranks can compute on the GPUs of this host. Runs with {@code --device cpu} need
   * none.
   */
  Finding gpus(GpuBackend backend) {
    List<String> found = new ArrayList<>();
    List<String> unfit = new ArrayList<>();
    try {
      for (Gpu gpu : machine.gpuDriver().gpus()) {
        if (!backend.hasCodeFor(gpu.capability())) {
          unfit.add("GPU " + found.size());
        }
        found.add(
            "GPU %s %s of compute capability %s"
                .formatted(found.size(), gpu.name(), gpu.capability()));
      }
      if (!unfit.isEmpty()) {
        return misfit(found, unfit, backend);
      }
      backend.load();
      return Finding.ok("gpus", String.join(", ", found));
    } catch (UsageException e) {
      return Finding.warning("gpus", e.getMessage(), WITHOUT_GPUS);
    }
  }

  /** The devices that OpenCL has a driver for. */
  Finding openCl() {
    try {
      String all =
          machine.openClDevices().stream().map(String::valueOf).collect(Collectors.joining(", "));
      return Finding.ok("opencl", all);
    } catch (DeviceException e) {
      return Finding.ok("opencl", "none; " + WITHOUT_GPUS);
    }
  }

  private static Finding misfit(List<String> found, List<String> unfit, GpuBackend backend) {
    boolean some = unfit.size() < found.size();
    return Finding.warning(
        "gpus",
        "%s: ND4J's binaries have code for %s to %s, not for %s"
            .formatted(
                String.join(", ", found),
                backend.oldest(),
                backend.newest(),
                String.join(", ", unfit)),
        some ? "list only the others in CUDA_VISIBLE_DEVICES" : WITHOUT_GPUS);
  }

  /**
   * Checks whether a data set can be read, and equals the published one.
   *
   * @param dataSet name of the data set
   * @param directory directory of its files; null for none
   */
  static Finding data(String dataSet, Path directory) {
    Map<String, String> sums;
    try {
      sums = DataSets.definition(dataSet).checksums(directory);
    } catch (UsageException e) {
      return Finding.failed("data", e.getMessage(), ""); // The message says what to do.
    }
    List<String> unpublished = DataSets.unpublished(dataSet, sums);
    String remedy =
        "remove the wrong files, and fetch them again: amb data fetch %s --data-dir %s"
            .formatted(dataSet, directory);
    try {
      DataSets.load(dataSet, directory, 1);
    } catch (UsageException e) {
      return Finding.failed("data", e.getMessage(), unpublished.isEmpty() ? "" : remedy);
    }
    String found = dataSet + ", " + count(sums.size());
    return unpublished.isEmpty()
        ? Finding.ok("data", found)
        : Finding.warning(
            "data",
            found + ", different from the published: " + String.join(", ", unpublished),
            remedy);
  }

  private static String count(int files) {
    return switch (files) {
      case 0 -> "no files needed";
      case 1 -> "1 file, read and checked";
      default -> files + " files, read and checked";
    };
  }
}
