package org.nd4j.nativeblas;

/**
 * Enables DL4J's oneDNN helpers.
 *
 * <p>{@code org.deeplearning4j.nn.layers.mkldnn.BaseMKLDNNHelper} of DL4J 1.0.0-M2.1 looks up the
 * class {@code org.nd4j.nativeblas.Nd4jCpu$Environment} by reflection, to find whether oneDNN may
 * be used. ND4J moved that class to another package in M2. So the lookup fails, every helper is
 * silently rejected, and convolutions are five to twenty times slower. This class returns what the
 * moved class returns.
 */
public final class Nd4jCpu {
  private Nd4jCpu() {}

  /** The two methods that the helpers call. */
  public static final class Environment {
    private static final Environment INSTANCE = new Environment();

    private Environment() {}

    public static Environment getInstance() {
      return INSTANCE;
    }

    /** Always true: native libraries without oneDNN use their own kernels. */
    public boolean isUseMKLDNN() {
      return true;
    }
  }
}
