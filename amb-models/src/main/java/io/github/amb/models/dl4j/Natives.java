package io.github.amb.models.dl4j;

import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.bytedeco.javacpp.Loader;
import org.deeplearning4j.nn.layers.HelperUtils;
import org.deeplearning4j.nn.layers.convolution.ConvolutionHelper;
import org.deeplearning4j.nn.layers.convolution.ConvolutionLayer;
import org.deeplearning4j.nn.layers.mkldnn.MKLDNNConvHelper;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;

/** Describes the native code that computes, for run records and {@code amb doctor}. */
public final class Natives {
  private static final String BINDINGS = "/org/nd4j/linalg/cpu/nativecpu/bindings/";
  private static final String POM = "/META-INF/maven/org.nd4j/nd4j-api/pom.properties";

  /** Names of the builds of ND4J's native libraries, in JavaCPP's order of search. */
  private static final List<String> EXTENSIONS =
      List.of("-onednn-avx512", "-onednn-avx2", "-onednn", "-avx512", "-avx2", "");

  private static final String MISSING = "not installed";

  static {
    Dl4jSetup.ensure(); // JavaCPP, which is used here first, reads its settings once.
  }

  private Natives() {}

  /** Whether those for the processor are there; the archive does not contain them. */
  public static boolean areInstalled() {
    return !classifier().equals(MISSING);
  }

  /**
   * Passes if ND4J can compute in this process, on the processor or on a GPU.
   *
   * @param user what needs it, at the beginning of the message
   * @throws UsageException if its natives for the processor are not installed
   */
  public static void require(String user) {
    if (Backends.isProcessor() && !areInstalled()) {
      throw new UsageException(
          "%s: expected ND4J's natives for %s, found none; run install-nd4j, which is beside amb",
          user, Loader.getPlatform());
    }
  }

  /**
   * The facts of {@link #describe} if oneDNN computes without ND4J: the available native libraries,
   * and that they are not used. Loads nothing.
   */
  public static Map<String, String> describeUnused() {
    Map<String, String> facts = files();
    facts.put("nd4j_backend", "not used");
    facts.put("convolution_helper", "not used: oneDNN is called directly");
    return facts;
  }

  private static Map<String, String> files() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("nd4j_version", version());
    facts.put("nd4j_natives", classifier());
    return facts;
  }

  /**
   * Version, backend, native libraries, threads, and whether convolutions use oneDNN, by name.
   *
   * <p>Loads ND4J's natives, if they are installed, and builds no network.
   */
  public static Map<String, String> describe() {
    if (Backends.isProcessor() && !areInstalled()) {
      return describeUnused();
    }
    Dl4jSetup.ensure();
    Properties environment = Nd4j.getExecutioner().getEnvironmentInformation();
    Map<String, String> facts = files();
    facts.put("nd4j_backend", environment.getProperty("backend"));
    facts.put("blas", environment.getProperty("blas.vendor"));
    facts.put("blas_threads", String.valueOf(environment.get("blas.threads")));
    facts.put("omp_threads", String.valueOf(environment.get("omp.threads")));
    facts.put("convolution_helper", convolutionHelper());
    return facts;
  }

  private static String classifier() {
    String platform = Loader.getPlatform();
    return EXTENSIONS.stream()
        .map(extension -> platform + extension)
        .filter(name -> Nd4j.class.getResource(BINDINGS + name) != null)
        .findFirst()
        .orElse(MISSING);
  }

  private static String convolutionHelper() {
    ConvolutionHelper helper =
        HelperUtils.createHelper(
            ConvolutionLayer.CUDA_CNN_HELPER_CLASS_NAME,
            MKLDNNConvHelper.class.getName(),
            ConvolutionHelper.class,
            "probe",
            DataType.FLOAT);
    return helper == null ? "none" : helper.getClass().getSimpleName();
  }

  private static String version() {
    Properties build = Reading.properties(() -> Nd4j.class.getResourceAsStream(POM));
    return build.getProperty("version", "unknown");
  }
}
