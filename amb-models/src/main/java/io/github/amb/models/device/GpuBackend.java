package io.github.amb.models.device;

import io.github.amb.core.option.UsageException;
import java.util.Optional;

/** Makes ND4J compute on GPUs. It exists if the program was built with the profile cuda. */
public interface GpuBackend {
  /** The message if a GPU is requested but the program was built without this backend. */
  String ABSENT =
      "this program was built without CUDA; build it with scripts/build -Pcuda"
          + " (docs/how-to/use-gpus.md)";

  /** The oldest compute capability for which its binaries have code. */
  ComputeCapability oldest();

  /** The newest compute capability for which its binaries have code. */
  ComputeCapability newest();

  /** Whether its binaries have code for a compute capability. */
  default boolean hasCodeFor(ComputeCapability card) {
    return card.compareTo(oldest()) >= 0 && card.compareTo(newest()) <= 0;
  }

  /**
   * Loads the native code.
   *
   * @throws UsageException if a library is missing; the message has its name
   */
  void load();

  /**
   * Makes all threads of this process compute on the only GPU that is visible to it. Call this
   * before any use of ND4J, whose further threads take further GPUs.
   *
   * @throws UsageException if native code cannot be loaded, or this process has used ND4J on the
   *     processor
   */
  void start();

  /** The backend that this program was built with, or empty. Searched for once. */
  static Optional<GpuBackend> find() {
    return FoundBackend.BACKEND;
  }

  /**
   * The backend that this program was built with.
   *
   * @throws UsageException if there is none; the message says how to get it
   */
  static GpuBackend required() {
    return find().orElseThrow(() -> new UsageException(ABSENT));
  }
}
