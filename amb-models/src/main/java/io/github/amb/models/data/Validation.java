package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.SparseExamples;
import java.util.stream.IntStream;
import org.apache.commons.rng.sampling.PermutationSampler;

/** Training examples that are put apart, so that no decision of a run is made on the test part. */
public final class Validation {
  private Validation() {}

  /** Some of other examples. */
  private record Part(Examples examples, int[] indices) implements DerivedExamples {
    @Override
    public int count() {
      return indices.length;
    }

    @Override
    public int index(int example) {
      return indices[example];
    }
  }

  /**
   * Returns a data set whose test examples are some of the training examples, which it trains on no
   * longer; {@code data} itself if the share is 0.
   *
   * @param share of the training examples, from 0 to less than 1; rounded to one or more
   * @param seed the examples are drawn with it
   * @throws UsageException if the data have no examples to put apart
   */
  public static DataSet of(DataSet data, double share, long seed) {
    if (share == 0) {
      return data;
    }
    int count = data.train().count();
    if (data.text() != null || data.train() instanceof Quadratic || count < 2) {
      throw new UsageException(
          "--validation: expected data of two or more examples, found %s%s",
          data.name(),
          data.text() == null ? "" : ", a text, whose last tenth is tested on already");
    }
    int[] drawn = IntStream.range(0, count).toArray();
    PermutationSampler.shuffle(new Streams(seed).stream("validation", 0, 0), drawn);
    int apart = (int) Math.max(1, Math.min(count - 1, Math.rint(share * count)));
    return data.with(
        data.shape(), part(data.train(), drawn, apart, count), part(data.train(), drawn, 0, apart));
  }

  private static Examples part(Examples all, int[] drawn, int from, int to) {
    int[] indices = IntStream.range(from, to).map(i -> drawn[i]).sorted().toArray();
    return all instanceof SparseExamples sparse ? sparse.select(indices) : new Part(all, indices);
  }
}
