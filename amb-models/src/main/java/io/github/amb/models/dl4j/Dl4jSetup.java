package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.CacheDirectory;
import java.util.List;
import org.deeplearning4j.nn.conf.CacheMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.learning.config.NoOp;

/**
 * The settings without which DL4J 1.0.0-M2.1 is slow or hides gradients.
 *
 * <p>Properties that the user has set are left alone. They are read when DL4J's and JavaCPP's
 * classes initialize, so whatever configures a network starts with {@link #builder()}, and what
 * uses JavaCPP alone with {@link #ensure()}.
 */
public final class Dl4jSetup {
  /** Where JavaCPP and zstd-jni unpack their native code. */
  private static final List<String> NATIVE_PLACES =
      List.of("org.bytedeco.javacpp.cachedir", "ZstdTempFolder");

  static {
    // Helpers, which compute layers by oneDNN, are off by default in M2.1.
    setDefault("org.eclipse.deeplearning4j.helpers.disable", "false");
    // Otherwise JavaCPP reads the process size from the system at every native allocation.
    setDefault("org.bytedeco.javacpp.maxphysicalbytes", "0");
    // Otherwise it writes to standard error that presets are of other versions, which we chose.
    setDefault("org.bytedeco.javacpp.logger", "slf4j");
    setDefault("org.nd4j.log.initialization", "false");
    // Otherwise a file about the machine hides an exhausted memory, and needs a library of 2017.
    setDefault("org.deeplearning4j.crash.reporting.enabled", "false");
    // Otherwise native code is loaded from where another user may have put it.
    String natives = CacheDirectory.forPrograms().toString();
    NATIVE_PLACES.forEach(name -> setDefault(name, natives));
    Backends.restrict();
  }

  private Dl4jSetup() {}

  /** Ensures that the settings are in force. */
  public static void ensure() {
    // The static initializer has run when this returns.
  }

  /**
   * A builder of networks whose raw gradients are sums over examples; the master applies the update
   * rule.
   *
   * <p>CacheMode.DEVICE keeps a convolution's forward result, which the backward pass would
   * otherwise recompute. Weights are drawn from N(0, 2 / fan-in) (He et al.: "Delving Deep into
   * Rectifiers", 2015) unless a layer says otherwise; biases are 0.
   */
  public static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder()
        .dataType(DataType.FLOAT)
        .updater(new NoOp())
        .miniBatch(false)
        .cacheMode(CacheMode.DEVICE)
        .weightInit(WeightInit.RELU);
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
