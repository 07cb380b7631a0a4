package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GradientTableTest {
  private static final int SIZE = 6;
  private static final int STATISTICS = 4;

  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("w", Block.Kind.WEIGHT, 0, STATISTICS),
              new Block("r", Block.Kind.RUNNING_STATISTIC, STATISTICS, SIZE - STATISTICS)));

  /** Sums of doubles differ from those of floats by the rounding of the floats alone. */
  @Property(tries = 100)
  void itsMeanIsThatOfTheWorkersMeans(@ForAll long seed, @ForAll boolean replaces) {
    Random random = new Random(seed);
    int workers = 1 + random.nextInt(5);
    GradientTable table = new GradientTable(LAYOUT, workers);
    double[][] sums = new double[workers][SIZE];
    double[] examples = new double[workers];
    int results = 1 + random.nextInt(40);
    for (int k = 0; k < results; k++) {
      int worker = random.nextInt(workers);
      Message gradient = new Message().reset(Message.Kind.GRADIENT, 1);
      gradient.source(worker + 1);
      gradient.examples(random.nextInt(4)); // Sometimes dropped.
      float[] values = gradient.ensureCapacity(SIZE);
      for (int i = 0; i < SIZE; i++) {
        values[i] = random.nextFloat() - 0.5f;
      }
      table.add(gradient.asResult(), replaces);
      if (gradient.examples() > 0) {
        examples[worker] = gradient.examples() + (replaces ? 0 : examples[worker]);
        for (int i = 0; i < SIZE; i++) {
          sums[worker][i] = values[i] + (replaces ? 0 : sums[worker][i]);
        }
      }
    }
    FloatBuffer mean = table.mean();
    for (int i = 0; i < STATISTICS; i++) {
      double expected = 0;
      int count = 0;
      for (int worker = 0; worker < workers; worker++) {
        expected += examples[worker] == 0 ? 0 : sums[worker][i] / examples[worker];
        count += examples[worker] > 0 ? 1 : 0;
      }
      // At most 40 sums of up to 20, each rounded once.
      double rounding = 41 * 20 * TrainingRun.UNIT_ROUNDOFF;
      assertEquals(expected / Math.max(1, count), mean.get(i), rounding, "entry " + i);
    }
  }
}
