package io.github.amb.models.onednn;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import java.nio.FloatBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.nd4j.linalg.activations.Activation;

/**
 * Closes models twice amid the sums and evaluations of another thread, at random moments; prints
 * how many were rejected from then on. A program of its own, as memory that is freed too early ends
 * the process.
 */
final class LifetimeProbe {
  static final int ROUNDS = 40;

  private static final int EXAMPLES = 96;
  private static final int[] ORDER = IntStream.range(0, EXAMPLES).toArray();

  private LifetimeProbe() {}

  public static void main(String[] arguments) throws InterruptedException {
    boolean fast = arguments[0].equals("onednn");
    DataSet data = SampleNetworks.data(EXAMPLES, 7);
    Architecture network =
        fast
            ? SampleNetworks.images(
                SampleNetworks.convolution("conv", 16, ConvolutionMode.Same, 1, 3))
            : SampleNetworks.dense(Activation.TANH);
    Random random = new Random(1);
    int rejected = 0;
    for (int round = 0; round < ROUNDS; round++) {
      GradientSource source =
          fast
              ? OneDnnGradientSource.of(network, data).orElseThrow()
              : new Dl4jGradientSource(network, data);
      rejected += isRejectedWhenClosed(source, random.nextInt(20)) ? 1 : 0;
    }
    System.out.println("rejected=" + rejected);
  }

  private static boolean isRejectedWhenClosed(GradientSource source, int calls)
      throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    boolean[] rejected = {false};
    Thread user =
        new Thread(
            () -> {
              try {
                use(source, done);
              } catch (IllegalStateException e) {
                rejected[0] = true;
              }
            });
    user.start();
    while (user.isAlive() && done.get() < calls) {
      Thread.onSpinWait();
    }
    source.close();
    source.close();
    user.join();
    return rejected[0];
  }

  private static void use(GradientSource source, AtomicInteger done) {
    FloatBuffer vector = FloatBuffer.allocate(source.layout().size());
    while (true) {
      source.begin(vector, 1);
      source.accumulate(ORDER, 0, EXAMPLES);
      source.finish(vector);
      done.incrementAndGet();
      source.evaluate(vector.array(), ORDER, 0, EXAMPLES);
      done.incrementAndGet();
    }
  }
}
