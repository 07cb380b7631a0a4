package io.github.amb.bench.load;

import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads a data set as a rank does and reads all of it; a program of its own for {@link
 * LoadBenchmark}.
 */
public final class LoadProbe {
  private LoadProbe() {}

  /**
   * Prints resident MB at the start, seconds to load, resident MB then, seconds to read every
   * training example once, resident MB then, and how many of these are no pages of files.
   *
   * @param arguments name of the data set, and the directory of its files if it has any
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = arguments.length > 1 ? Path.of(arguments[1]) : null;
    double empty = resident().peak();
    long start = System.nanoTime();
    DataSet data = DataSets.load(arguments[0], directory, 1);
    double load = (System.nanoTime() - start) / 1e9;
    double resident = resident().peak();
    start = System.nanoTime();
    float[] features = new float[data.shape().size()];
    for (int example = 0; example < data.train().count(); example++) {
      data.train().copyFeatures(example, features);
    }
    double read = (System.nanoTime() - start) / 1e9;
    ResidentMemory all = resident();
    System.out.println(
        String.format(
            Locale.ROOT, "%f %f %f %f %f %f", empty, load, resident, read, all.peak(), all.own()));
  }

  private static ResidentMemory resident() throws IOException {
    return ResidentMemory.of(ProcessHandle.current().pid());
  }
}
