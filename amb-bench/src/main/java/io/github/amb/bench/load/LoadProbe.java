package io.github.amb.bench.load;

import io.github.amb.core.command.Program;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Loads a data set as a rank does and reads all of it; a program of its own for {@link
 * LoadBenchmark}, which measures its memory from outside, so that measuring adds nothing to it.
 */
public final class LoadProbe {
  private LoadProbe() {}

  /**
   * Prints a line and waits for a byte on standard input three times: when it has started, when the
   * data set is loaded, and when every training example has been read once. The line has the
   * seconds that each took.
   *
   * @param arguments name of the data set, and the directory of its files if it has any
   */
  public static void main(String[] arguments) throws IOException {
    Program.start();
    Path directory = arguments.length > 1 ? Path.of(arguments[1]) : null;
    long start = said(System.nanoTime());
    DataSet data = DataSets.load(arguments[0], directory, 1);
    start = said(start);
    float[] features = new float[data.shape().size()];
    for (int example = 0; example < data.train().count(); example++) {
      data.train().copyFeatures(example, features);
    }
    said(start);
  }

  /** When what comes next starts. */
  private static long said(long start) throws IOException {
    System.out.println(System.nanoTime() - start);
    System.in.read();
    return System.nanoTime();
  }
}
