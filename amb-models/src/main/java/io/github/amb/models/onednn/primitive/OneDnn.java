package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.dl4j.Dl4jSetup;
import java.util.Map;
import org.bytedeco.dnnl.dnnl_engine;
import org.bytedeco.dnnl.dnnl_stream;
import org.bytedeco.dnnl.global.dnnl;
import org.bytedeco.javacpp.Loader;

/** oneDNN on this host's processor. Its CPU streams are stateless, so threads share one. */
public final class OneDnn {
  private static final String LIBRARIES = "/org/bytedeco/dnnl/";

  private static final Map<Integer, String> INSTRUCTIONS =
      Map.ofEntries(
          Map.entry(dnnl_cpu_isa_sse41, "sse41"),
          Map.entry(dnnl_cpu_isa_avx, "avx"),
          Map.entry(dnnl_cpu_isa_avx2, "avx2"),
          Map.entry(dnnl_cpu_isa_avx2_vnni, "avx2_vnni"),
          Map.entry(dnnl_cpu_isa_avx2_vnni_2, "avx2_vnni_2"),
          Map.entry(dnnl_cpu_isa_avx512_core, "avx512_core"),
          Map.entry(dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni"),
          Map.entry(dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16"),
          Map.entry(dnnl_cpu_isa_avx512_core_fp16, "avx512_core_fp16"),
          Map.entry(dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx"),
          Map.entry(dnnl_cpu_isa_avx512_core_amx_fp16, "avx512_core_amx_fp16"),
          Map.entry(dnnl_cpu_isa_avx10_2, "avx10_2"),
          Map.entry(dnnl_cpu_isa_avx10_2_amx_2, "avx10_2_amx_2"));

  /** Number of rows and columns left out between those of a kernel. */
  public static final long[] NO_DILATION = {0, 0};

  public static final dnnl_engine ENGINE;
  static final dnnl_stream STREAM;

  static {
    Dl4jSetup.ensure();
    if (isAvailable()) {
      ENGINE = new dnnl_engine();
      STREAM = new dnnl_stream();
      check(dnnl_engine_create(ENGINE, dnnl_cpu, 0), "create an engine");
      check(dnnl_stream_create(STREAM, ENGINE, dnnl_stream_default_flags), "create a stream");
    } else {
      ENGINE = null;
      STREAM = null;
    }
  }

  private OneDnn() {}

  /** Whether the class path has a build of oneDNN for this host. */
  public static boolean isAvailable() {
    return OneDnn.class.getResource(LIBRARIES + Loader.getPlatform()) != null;
  }

  /**
   * Checks that a call succeeded.
   *
   * @param status result of the call
   * @param purpose purpose of the call, an infinitive for the message
   */
  public static void check(int status, String purpose) {
    if (status != dnnl_success) {
      throw new IllegalStateException(
          "oneDNN cannot %s: expected status %d, found %d"
              .formatted(purpose, dnnl_success, status));
    }
  }

  /** Its version, such as 3.13.0. */
  public static String version() {
    var version = dnnl.dnnl_version();
    return version.major() + "." + version.minor() + "." + version.patch();
  }

  /** The instruction set that oneDNN uses on this processor, such as avx512_core. */
  public static String instructions() {
    return instructions(dnnl_get_effective_cpu_isa());
  }

  static String instructions(int found) {
    return INSTRUCTIONS.getOrDefault(found, "instruction set " + found);
  }
}
