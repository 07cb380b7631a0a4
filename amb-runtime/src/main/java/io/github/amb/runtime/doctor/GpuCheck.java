package io.github.amb.runtime.doctor;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.gpu.Gpu;
import io.github.amb.models.gpu.GpuBackend;
import io.github.amb.models.gpu.NvidiaSmi;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether ranks can compute on the GPUs of this host. Runs without {@code --cuda} need none.
 */
final class GpuCheck {
  private static final String SUBJECT = "gpus";
  private static final String WITHOUT = "runs with --cuda none do not need it";

  private GpuCheck() {}

  static Finding gpus(GpuBackend backend, NvidiaSmi driver) {
    List<String> found = new ArrayList<>();
    List<String> unfit = new ArrayList<>();
    try {
      for (Gpu gpu : driver.gpus()) {
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
      return Finding.ok(SUBJECT, String.join(", ", found));
    } catch (UsageException e) {
      return Finding.warning(SUBJECT, e.getMessage(), WITHOUT);
    }
  }

  private static Finding misfit(List<String> found, List<String> unfit, GpuBackend backend) {
    boolean some = unfit.size() < found.size();
    return Finding.warning(
        SUBJECT,
        "%s: ND4J's binaries have code for %s to %s, not for %s"
            .formatted(
                String.join(", ", found),
                backend.oldest(),
                backend.newest(),
                String.join(", ", unfit)),
        some ? "list only the others in CUDA_VISIBLE_DEVICES" : WITHOUT);
  }
}
