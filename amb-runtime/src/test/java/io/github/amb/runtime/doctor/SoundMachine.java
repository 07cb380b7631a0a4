package io.github.amb.runtime.doctor;

import io.github.amb.models.device.GpuBackend;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A stand-in that has all that runs need; tests take one thing away. */
class SoundMachine extends CheckedMachine {
  private static final long GIGABYTE = 1L << 30;
  private static final byte[] OTHER_HOST = {(byte) 192, 0, 2, 1};

  /** An address of documentation, which no interface has. */
  static InetAddress elsewhere() throws UnknownHostException {
    return InetAddress.getByAddress("elsewhere", OTHER_HOST);
  }

  @Override
  Map<String, String> engine() {
    return Map.of(
        "gradient_engine", "oneDNN",
        "onednn_version", "3.13.0",
        "nd4j_natives", "linux-x86_64-onednn",
        "convolution_helper", "MKLDNNConvHelper");
  }

  @Override
  Optional<GpuBackend> gpuBackend() {
    return Optional.empty();
  }

  @Override
  int cores() {
    return 3;
  }

  @Override
  int fontFamilies() {
    return 1;
  }

  @Override
  InetAddress ownHost() throws UnknownHostException {
    return elsewhere();
  }

  @Override
  boolean hasInterface(InetAddress address) {
    return true;
  }

  @Override
  boolean isWritable(Path directory) {
    return true;
  }

  @Override
  long usableBytes(Path directory) {
    return GIGABYTE;
  }
}
