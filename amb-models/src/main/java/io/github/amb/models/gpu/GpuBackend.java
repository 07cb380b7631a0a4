package io.github.amb.models.gpu;

import io.github.amb.core.command.UsageException;
import java.util.Optional;

/** Computes with ND4J on GPUs; there is one if the program was built with the profile cuda. */
public interface GpuBackend {
  /** What to tell a user who wants a GPU of a program that was built without. */
  String ABSENT =
      "this program was built without CUDA; build it with scripts/build -Pcuda"
          + " (docs/how-to/use-gpus.md)";

  /** The oldest cards that its binaries have code for. */
  ComputeCapability oldest();

  /** The newest cards that its binaries have code for. */
  ComputeCapability newest();

  /** Whether its binaries have code for a card. */
  default boolean hasCodeFor(ComputeCapability card) {
    return card.compareTo(oldest()) >= 0 && card.compareTo(newest()) <= 0;
  }

  /**
   * Loads the native code.
   *
   * @throws UsageException naming the library that is missing
   */
  void load();

  /**
   * Lets this process compute on one card, before anything of ND4J is used; all threads use that
   * card.
   *
   * @param device index among those that the process may see
   * @throws UsageException if native code cannot be loaded
   */
  void start(int device);

  /** The one that this program was built with; empty if with none. Looked for once. */
  static Optional<GpuBackend> find() {
    return FoundBackend.BACKEND;
  }

  /**
   * The one that this program was built with.
   *
   * @throws UsageException saying how to get it, if there is none
   */
  static GpuBackend required() {
    return find().orElseThrow(() -> new UsageException(ABSENT));
  }
}
