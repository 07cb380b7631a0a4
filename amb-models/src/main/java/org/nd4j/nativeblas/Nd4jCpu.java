package org.nd4j.nativeblas;

/**
 * Lets DL4J's oneDNN helpers load.
 *
 * <p>{@code org.deeplearning4j.nn.layers.mkldnn.BaseMKLDNNHelper} of DL4J 1.0.0-M2.1 asks, by
 * reflection, the class {@code org.nd4j.nativeblas.Nd4jCpu$Environment} whether oneDNN may be used.
 * ND4J moved that class to another package in M2, so the question fails, every helper is refused
 * without a word, and convolutions run five to twenty times slower. This class gives the answer
 * that the moved class gives.
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

    /** Always true: natives without oneDNN run the operation on their own kernels. */
    public boolean isUseMKLDNN() {
      return true;
    }
  }
}
