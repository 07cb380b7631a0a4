package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.example.DataSet;
import java.nio.file.Path;
import java.util.function.LongFunction;

/**
 * A data set that needs no files, as it is generated or part of the program.
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
  @Override
  public DataSet load(Path directory, long seed) {
    return source.apply(seed);
  }
}
