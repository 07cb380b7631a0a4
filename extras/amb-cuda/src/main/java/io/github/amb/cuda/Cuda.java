package io.github.amb.cuda;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.dl4j.Backends;
import io.github.amb.models.dl4j.Dl4jSetup;
import io.github.amb.models.device.ComputeCapability;
import io.github.amb.models.device.GpuBackend;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.jcublas.JCublasBackend;
import org.nd4j.linalg.jcublas.bindings.Nd4jCuda;

/**
 * ND4J 1.0.0-M2.1 on CUDA 11.6.
 *
 * <p>Its binaries hold machine code for 3.7 to 8.6 and no intermediate code (PTX) that a newer card
 * could translate. A card runs code for a lower minor number of its major one: "a cubin generated
 * for compute capability 8.6 is supported to run on a GPU with compute capability 8.9" (NVIDIA, Ada
 * Compatibility Guide, 1.2).
 */
public final class Cuda implements GpuBackend {
  private static final ComputeCapability OLDEST = new ComputeCapability(3, 7);
  private static final ComputeCapability NEWEST = new ComputeCapability(8, 9);

  @Override
  public ComputeCapability oldest() {
    return OLDEST;
  }

  @Override
  public ComputeCapability newest() {
    return NEWEST;
  }

  @Override
  public void load() {
    Dl4jSetup.ensure();
    try {
      Loader.load(cudart.class);
      Loader.load(Nd4jCuda.class);
    } catch (LinkageError e) {
      throw new UsageException(
          "expected the libraries of CUDA 11 and the driver (libcudart.so.11.0, libcublas.so.11,"
              + " libcusolver.so.11, libcuda.so.1) on the library path, found: "
              + reason(e));
    }
  }

  /** What the first failure said, of which the others are consequences. */
  private static String reason(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return String.valueOf(first.getMessage()).lines().findFirst().orElse("no reason");
  }

  @Override
  public void start() {
    Backends.choose(JCublasBackend.class.getName());
    load();
    // ND4J chooses once, when its first class is used, and falls back silently.
    if (!(Nd4j.getBackend() instanceof JCublasBackend)) {
      throw new UsageException(
          "expected a process that has not used ND4J, found one that has done so on the processor,"
              + " as to read --network FILE.zip; train with --workers 1 or more");
    }
  }
}
