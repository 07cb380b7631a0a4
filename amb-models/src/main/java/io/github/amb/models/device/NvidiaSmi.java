package io.github.amb.models.device;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lists the GPUs of this host by the driver's program {@code nvidia-smi}.
 *
 * @param program its path, or that of another one with the same output
 * @param visible indices or identifiers separated by commas; null for all GPUs
 */
public record NvidiaSmi(String program, String visible) {
  /** Variable with the indices or identifiers of the GPUs that a process sees, as CUDA reads it. */
  public static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  private static final String MIG = "MIG-";
  private static final String PROGRAM = "nvidia-smi";
  private static final long LIMIT_SECONDS = 30;

  /** Uses the program on the path; GPUs that {@code CUDA_VISIBLE_DEVICES} hides are not listed. */
  public NvidiaSmi() {
    this(PROGRAM, System.getenv(VISIBLE));
  }

  /**
   * The GPUs that are visible to a process, by their index in the process.
   *
   * @throws UsageException if there is no driver or no GPU
   */
  public List<Gpu> gpus() {
    List<Gpu> gpus = visible(parse(run()));
    if (gpus.isEmpty()) {
      throw new UsageException(
          "expected an NVIDIA GPU, found none"
              + (visible == null ? "" : " with " + VISIBLE + "='" + visible + "'"));
    }
    return gpus;
  }

  private String run() {
    try {
      Path folder = SharedPlace.fresh("amb-gpus-");
      try {
        return run(folder.resolve("output"));
      } finally {
        Disk.REAL.delete(folder);
      }
    } catch (IOException e) {
      throw new UsageException(
          "expected an NVIDIA GPU and its driver, found no program " + program + " on the path");
    }
  }

  private String run(Path output) throws IOException {
    Process process =
        new ProcessBuilder(program, "--query-gpu=uuid,name,compute_cap", "--format=csv,noheader")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new UsageException(
            "%s: expected an answer within %d s, found none", program, LIMIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UsageException(program + ": interrupted while listing the GPUs");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output, StandardCharsets.ISO_8859_1).strip();
    if (process.exitValue() != 0) {
      throw new UsageException(
          "%s: expected a list of GPUs, found exit code %d: %s",
          program, process.exitValue(), said.replaceAll("\\s+", " "));
    }
    return said;
  }

  private List<Gpu> parse(String said) {
    List<Gpu> gpus = new ArrayList<>();
    for (String line : said.lines().filter(line -> !line.isBlank()).toList()) {
      String[] cells = line.split(",");
      try {
        String capability = cells[cells.length - 1].strip();
        // A name may contain commas.
        String name = line.substring(line.indexOf(',') + 1, line.lastIndexOf(',')).strip();
        gpus.add(new Gpu(cells[0].strip(), name, ComputeCapability.parse(capability)));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new UsageException(
            "%s: expected identifier, name and compute capability of a GPU, found '%s'",
            program, line);
      }
    }
    return gpus;
  }

  /** Selects GPUs as CUDA does: in the order given, up to the first that does not exist. */
  private List<Gpu> visible(List<Gpu> all) {
    if (visible == null) {
      return all;
    }
    List<Gpu> chosen = new ArrayList<>();
    for (String name : visible.split(",")) {
      Gpu gpu = named(name.strip(), all);
      if (gpu == null) {
        break;
      }
      chosen.add(gpu);
    }
    return chosen;
  }

  private static Gpu named(String name, List<Gpu> all) {
    if (name.matches("\\d{1,4}")) {
      int index = Integer.parseInt(name);
      return index < all.size() ? all.get(index) : null;
    }
    if (name.startsWith(MIG)) {
      return part(name, all);
    }
    return all.stream()
        .filter(gpu -> !name.isEmpty() && gpu.uuid().startsWith(name))
        .findFirst()
        .orElse(null);
  }

  /** A part of a GPU (MIG). The driver does not list of which, so all must be of one capability. */
  private static Gpu part(String name, List<Gpu> all) {
    List<ComputeCapability> capabilities = all.stream().map(Gpu::capability).distinct().toList();
    return capabilities.size() == 1 ? new Gpu(name, all.get(0).name(), capabilities.get(0)) : null;
  }
}
