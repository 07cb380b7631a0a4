package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.device.DeviceException;
import io.github.amb.models.device.Gpu;
import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.models.device.OpenClDevices;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.config.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which rank computes on which GPU of its host, or on another device that OpenCL has a driver for.
 *
 * <p>{@code cpu_master}: workers only; {@code gpu_master}: the master only; others: every rank.
 * Ranks take the cards in turns. A rank's process sees its card alone, or with OpenCL chooses it.
 * On a machine without a GPU, {@code cpu_master} falls back to processors in a build without CUDA
 * and on the virtual cluster, as in the predecessor program AMB.
 *
 * @param settings of the run, which ask for GPUs
 * @param backend computes on them; null for OpenCL
 * @param driver lists this host's GPUs
 */
public record GpuPlan(Settings settings, GpuBackend backend, NvidiaSmi driver) {
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
    String kind = settings.get(DEVICE);
    boolean simulated = settings.get(ENGINE).equals(SIM);
    if (kind.equals(CPU) || kind.equals(CPU_MASTER) && simulated) {
      return Optional.empty();
    }
    if (simulated) {
      throw new UsageException(
          "--device %s: expected --engine mpj or openmpi, found sim, which computes on the processor",
          kind);
    }
    if (isOpenCl(settings)) {
      return Optional.of(new GpuPlan(settings, null, driver));
    }
    Optional<GpuBackend> found = backend.get();
    if (found.isEmpty() && !kind.equals(CPU_MASTER)) {
      throw new UsageException("--device %s: %s", kind, GpuBackend.ABSENT);
    }
    return found.map(there -> new GpuPlan(settings, there, driver));
  }

  /**
   * The ranks of a run that compute on GPUs, in ascending order.
   *
   * @param settings with the number of workers
   * @throws UsageException if the settings ask for a GPU that this program cannot compute on
   */
  public static List<Integer> ranks(Settings settings) {
    List<Integer> all = IntStream.rangeClosed(0, settings.get(WORKERS)).boxed().toList();
    return of(settings).map(plan -> plan.computing(all)).orElse(List.of());
  }

  private List<Integer> computing(Collection<Integer> ranks) {
    return ranks.stream().filter(this::usesGpu).toList();
  }

  /** Whether the GPUs of a run compute by OpenCL; {@code gpu} does so where it finds one. */
  static boolean isOpenCl(Settings settings) {
    String kind = settings.get(DEVICE);
    return kind.equals(OPENCL)
        || kind.equals(GPU) && (hasOpenClGpu() || GpuBackend.find().isEmpty());
  }

  private static boolean hasOpenClGpu() {
    try {
      return OpenClDevices.list().get(0).gpu();
    } catch (DeviceException e) {
      return false;
    }
  }

  boolean isOpenCl() {
    return backend == null;
  }

  /** The network with its data on a rank's device; the caller closes it. */
  GradientSource open(int rank, NetworkDefinition network, NetworkOptions options, DataSet data) {
    return isOpenCl()
        ? Networks.openOn(openClDevice(rank), network, options, data)
        : Networks.openOnGpu(network, options, data);
  }

  /** The engine of a rank that computes on a GPU, and its native code, by name. */
  public Map<String, String> describe(int rank) {
    return isOpenCl()
        ? Map.of("gradient_engine", "OpenCL", "opencl_device", openClDevice(rank).toString())
        : Networks.describeGpu();
  }

  /** The device of a rank; the value {@code gpu} takes no processor for one. */
  OpenClDevices.Found openClDevice(int rank) {
    List<OpenClDevices.Found> devices = openClDevices();
    return devices.get(turn(rank, devices.size()));
  }

  private List<OpenClDevices.Found> openClDevices() {
    List<OpenClDevices.Found> devices = OpenClDevices.list();
    boolean some = devices.get(0).gpu();
    if (kind().equals(GPU) && !some) {
      throw new UsageException(
          "expected a GPU with an OpenCL driver, found %s; compute on it with --device %s",
          devices.get(0), OPENCL);
    }
    return some ? devices.stream().filter(OpenClDevices.Found::gpu).toList() : devices;
  }

  /** Whether the master of a run is to compute on a GPU. */
  static boolean ofMaster(Settings settings) {
    return !List.of(CPU, CPU_MASTER).contains(settings.get(DEVICE));
  }

  /** A remark for the user if {@code --device} has no effect in this run; empty otherwise. */
  public static Optional<String> note(Settings settings) {
    boolean ignored = !settings.isDefault(DEVICE) && ranks(settings).isEmpty();
    if (!ignored) {
      return Optional.empty();
    }
    return Optional.of(
        "--device %s: all ranks compute on the processor: %s"
            .formatted(settings.get(DEVICE), reason(settings)));
  }

  private static String reason(Settings settings) {
    if (settings.get(ENGINE).equals(SIM)) {
      return "the virtual cluster has no GPUs";
    }
    return of(settings).isEmpty()
        ? "this program was built without CUDA (scripts/build -Pcuda)"
        : "there are no workers";
  }

  /**
   * Checks that the ranks of this host can compute on their GPUs, and loads the native code if one
   * of them does.
   *
   * @throws UsageException if something is missing or a GPU is not supported
   */
  public void check(Collection<Integer> ranks) {
    List<Integer> computing = computing(ranks);
    if (computing.isEmpty()) {
      return;
    }
    try {
      if (isOpenCl()) {
        expectEnough(openClDevices().size());
        return;
      }
      List<Gpu> gpus = driver.gpus();
      expectEnough(gpus.size());
      if (Objects.equals(settings.get(WORKERS), 0) && gpus.size() > 1) {
        throw tooMany(gpus);
      }
      for (int rank : computing) {
        int device = device(rank, gpus);
        check(device, gpus.get(device));
      }
      backend.load();
    } catch (UsageException e) {
      throw new UsageException("--device %s: %s", kind(), e.getMessage());
    }
  }

  private void expectEnough(int found) {
    int perNode = settings.get(GPUS_PER_NODE);
    if (perNode > found) {
      throw new UsageException(
          "expected --gpus-per-node of at most %d, the number of GPUs here, found %d",
          found, perNode);
    }
  }

  private void check(int device, Gpu gpu) {
    if (!backend.hasCodeFor(gpu.capability())) {
      throw new UsageException(
          "expected a GPU of compute capability %s to %s, which ND4J's binaries have code for, found %s on GPU %d, %s",
          backend.oldest(), backend.newest(), gpu.capability(), device, gpu.name());
    }
  }

  /** A process has one card: its threads would take others, too. */
  private static UsageException tooMany(List<Gpu> gpus) {
    return new UsageException(
        "expected one GPU that this process sees, found %d; name one in %s",
        gpus.size(), NvidiaSmi.VISIBLE);
  }

  /**
   * The identifiers of the GPUs of ranks of this host, which {@link #check} has accepted.
   *
   * @return without ranks that compute on the processor; none with OpenCL
   */
  public Map<Integer, String> cards(Collection<Integer> ranks) {
    List<Integer> computing = computing(ranks);
    if (isOpenCl() || computing.isEmpty()) {
      return Map.of();
    }
    List<Gpu> gpus = driver.gpus();
    return computing.stream()
        .collect(Collectors.toMap(rank -> rank, rank -> gpus.get(device(rank, gpus)).uuid()));
  }

  /**
   * Makes this process compute on the only GPU that it sees, if its rank is to. Call this before
   * any use of ND4J.
   *
   * @throws UsageException if something is missing, the GPU is not supported, or there are several
   */
  public void start(int rank) {
    if (isOpenCl() || !usesGpu(rank)) {
      return;
    }
    try {
      List<Gpu> gpus = driver.gpus();
      if (gpus.size() > 1) {
        throw tooMany(gpus);
      }
      check(0, gpus.get(0));
      backend.start();
    } catch (UsageException e) {
      throw new UsageException("--device %s: %s", kind(), e.getMessage());
    }
  }

  private String kind() {
    return settings.get(DEVICE);
  }

  private boolean usesGpu(int rank) {
    return switch (kind()) {
      case CPU_MASTER -> rank != Communicator.MASTER;
      case GPU_MASTER -> rank == Communicator.MASTER;
      default -> true;
    };
  }

  /** Index of a rank's GPU. */
  private int device(int rank, List<Gpu> gpus) {
    return turn(rank, gpus.size());
  }

  private int turn(int rank, int count) {
    int first = kind().equals(CPU_MASTER) ? 1 : 0;
    int perNode = settings.get(GPUS_PER_NODE);
    return (rank - first) % (perNode > 0 ? perNode : count);
  }
}
