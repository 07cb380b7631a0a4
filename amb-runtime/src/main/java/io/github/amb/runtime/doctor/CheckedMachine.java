package io.github.amb.runtime.doctor;

import io.github.amb.models.gpu.GpuBackend;
import io.github.amb.models.gpu.NvidiaSmi;
import io.github.amb.models.network.Networks;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What the checks ask of the machine that the program runs on; tests stand in for it. */
class CheckedMachine {
  Runtime.Version java() {
    return Runtime.version();
  }

  /** Which native code computes, as {@link Networks#describeEngine()} names it; loads it. */
  Map<String, String> engine() {
    return Networks.describeEngine();
  }

  /** Empty if the program was built without. */
  Optional<GpuBackend> gpuBackend() {
    return GpuBackend.find();
  }

  NvidiaSmi gpuDriver() {
    return new NvidiaSmi();
  }

  int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** What Linux says of its memory. */
  Path memoryInfo() {
    return Path.of("/proc/meminfo");
  }

  int fontFamilies() {
    return GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length;
  }

  /** Where ranks of runs on this machine listen. */
  InetAddress rankAddress() {
    return InetAddress.getLoopbackAddress();
  }

  /** This host's name and the address that goes with it. */
  InetAddress ownHost() throws UnknownHostException {
    return InetAddress.getLocalHost();
  }

  boolean hasInterface(InetAddress address) throws SocketException {
    return NetworkInterface.getByInetAddress(address) != null;
  }

  boolean isWritable(Path directory) {
    return Files.isWritable(directory);
  }

  long usableBytes(Path directory) throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }
}
