package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.example.DataSet;
import java.lang.ref.SoftReference;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;

/**
 * A data set that needs no files, as it is generated or part of the program. The runs of one
 * process with one seed share it while there is memory, as making it may take longer than their
 * training.
 *
 * @param source generates or reads it; its argument is the run's seed
 */
record BuiltInData(
    Description description,
    String network,
    int trainingExamples,
    int testExamples,
    LongFunction<DataSet> source)
    implements DataSetDefinition {
  BuiltInData {
    source = sharing(source);
  }

  private static LongFunction<DataSet> sharing(LongFunction<DataSet> source) {
    var made = new AtomicReference<>(new SoftReference<Map.Entry<Long, DataSet>>(null));
    return seed -> {
      Map.Entry<Long, DataSet> last = made.get().get();
      if (last == null || last.getKey() != seed) {
        last = Map.entry(seed, source.apply(seed));
        made.set(new SoftReference<>(last));
      }
      return last.getValue();
    };
  }

  @Override
  public DataSet load(Path directory, long seed) {
    return source.apply(seed);
  }
}
