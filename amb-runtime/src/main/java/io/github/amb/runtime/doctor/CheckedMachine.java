package io.github.amb.runtime.doctor;

import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.models.device.OpenClDevices;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.host.MemoryShare;
import java.awt.GraphicsEnvironment;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The properties of this machine that the checks use; tests override it. */
class CheckedMachine {
  Runtime.Version java() {
    return Runtime.version();
  }

  /**
   * The engine that computes gradients, as {@link Networks#describeEngine()} names it; loads the
   * native code.
   */
  Map<String, String> engine() {
    return Networks.describeEngine();
  }

  /** The GPU back end; empty in a build without CUDA. */
  Optional<GpuBackend> gpuBackend() {
    return GpuBackend.find();
  }

  /** The devices that OpenCL has a driver for. */
  List<OpenClDevices.Found> openClDevices() {
    return OpenClDevices.list();
  }

  NvidiaSmi gpuDriver() {
    return new NvidiaSmi();
  }

  int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The file with Linux' memory statistics. */
  Path memoryInfo() {
    return MemoryShare.LINUX;
  }

  int fontFamilies() {
    return GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length;
  }

  /** The address on which ranks of runs on this machine listen. */
  InetAddress rankAddress() {
    return InetAddress.getLoopbackAddress();
  }

  /**
   * This host's name with its address.
   *
   * @throws UnknownHostException if the name has no address
   */
  InetAddress ownHost() throws UnknownHostException {
    return InetAddress.getLocalHost();
  }

  boolean hasInterface(InetAddress address) throws SocketException {
    return NetworkInterface.getByInetAddress(address) != null;
  }

  boolean isWritable(Path directory) {
    return Files.isWritable(directory);
  }

  /** Without a look at the table of mounts, which a change of the root directory leaves wrong. */
  long usableBytes(Path directory) {
    return directory.toFile().getUsableSpace();
  }
}
