package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Communicator;
import io.github.amb.models.gpu.Gpu;
import io.github.amb.models.gpu.GpuBackend;
import io.github.amb.models.gpu.NvidiaSmi;
import io.github.amb.runtime.config.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Which rank computes on which GPU of its host.
 *
 * <p>{@code cpu_master}: workers only; {@code gpu_master}: the master only; {@code gpu_all}: every
 * rank. Ranks take the cards in turns. On a machine without a GPU, {@code cpu_master} falls back to
 * processors in a build without CUDA and on the virtual cluster, as in the predecessor program AMB.
 */
public final class GpuPlan {
  private final String kind;
  private final int perNode;
  private final GpuBackend backend;
  private final NvidiaSmi driver;

  private GpuPlan(Settings settings, GpuBackend backend, NvidiaSmi driver) {
    this.kind = settings.get(CUDA);
    this.perNode = settings.get(GPUS_PER_NODE);
    this.backend = backend;
    this.driver = driver;
  }

  /**
   * The plan of a run.
   *
   * @return empty if every rank computes on its processor
   * @throws UsageException if the settings ask for a GPU that this program cannot compute on
   */
  public static Optional<GpuPlan> of(Settings settings) {
    return of(settings, GpuBackend::find, new NvidiaSmi());
  }

  /**
   * The plan of a run, with a given back end and driver, for tests.
   *
   * @param backend supplies the GPU back end; called only if the settings ask for a GPU
   * @param driver lists this host's GPUs
   * @return empty if every rank computes on its processor
   * @throws UsageException if the settings ask for a GPU that this program cannot compute on
   */
  static Optional<GpuPlan> of(
      Settings settings, Supplier<Optional<GpuBackend>> backend, NvidiaSmi driver) {
    String kind = settings.get(CUDA);
    boolean simulated = settings.get(ENGINE).equals(SIM);
    if (kind.equals(NONE) || kind.equals(CPU_MASTER) && simulated) {
      return Optional.empty();
    }
    if (simulated) {
      throw new UsageException(
          "--cuda %s: expected --engine mpj or openmpi, found sim, which computes on the processor"
              .formatted(kind));
    }
    Optional<GpuBackend> found = backend.get();
    if (found.isEmpty() && !kind.equals(CPU_MASTER)) {
      throw new UsageException("--cuda %s: %s".formatted(kind, GpuBackend.ABSENT));
    }
    return found.map(there -> new GpuPlan(settings, there, driver));
  }

  /** A remark for the user if {@code --cuda} has no effect in this run; empty otherwise. */
  public static Optional<String> note(Settings settings) {
    boolean ignored = !settings.get(CUDA).equals(NONE) && of(settings).isEmpty();
    if (!ignored) {
      return Optional.empty();
    }
    String reason =
        settings.get(ENGINE).equals(SIM)
            ? "the virtual cluster has no GPUs"
            : "this program was built without CUDA (scripts/build -Pcuda)";
    return Optional.of(
        "--cuda %s: all ranks compute on the processor: %s".formatted(settings.get(CUDA), reason));
  }

  /**
   * Checks that the ranks of this host can compute on their GPUs, and loads the native code if one
   * of them does.
   *
   * @throws UsageException if something is missing or a GPU is not supported
   */
  public void check(Collection<Integer> ranks) {
    List<Integer> computing = ranks.stream().filter(this::usesGpu).toList();
    if (computing.isEmpty()) {
      return;
    }
    try {
      List<Gpu> gpus = driver.gpus();
      if (perNode > gpus.size()) {
        throw new UsageException(
            "expected --gpus-per-node of at most %d, the number of GPUs here, found %d"
                .formatted(gpus.size(), perNode));
      }
      for (int rank : computing) {
        int device = device(rank, perNode > 0 ? perNode : gpus.size());
        check(device, gpus.get(device));
      }
      backend.load();
    } catch (UsageException e) {
      throw new UsageException("--cuda %s: %s".formatted(kind, e.getMessage()));
    }
  }

  private void check(int device, Gpu gpu) {
    if (!backend.hasCodeFor(gpu.capability())) {
      throw new UsageException(
          "expected a GPU of compute capability %s to %s, which ND4J's binaries have code for, found %s on GPU %d, %s"
              .formatted(backend.oldest(), backend.newest(), gpu.capability(), device, gpu.name()));
    }
  }

  /**
   * Index of the GPU of a rank, which {@link #check} has accepted; empty if the rank computes on
   * the processor.
   */
  public OptionalInt device(int rank) {
    return usesGpu(rank)
        ? OptionalInt.of(device(rank, perNode > 0 ? perNode : driver.gpus().size()))
        : OptionalInt.empty();
  }

  private boolean usesGpu(int rank) {
    return switch (kind) {
      case CPU_MASTER -> rank != Communicator.MASTER;
      case GPU_MASTER -> rank == Communicator.MASTER;
      default -> true;
    };
  }

  private int device(int rank, int gpus) {
    int first = kind.equals(CPU_MASTER) ? 1 : 0;
    return (rank - first) % gpus;
  }
}
