package io.github.amb.bench;

import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.runtime.command.Program;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Loads a data set as a rank does and reads all of it. It is a separate program, whose memory
 * {@link LoadBenchmark} measures from outside, so that the measurement does not affect it.
 */
public final class LoadProbe {
  /** Start of its lines. */
  static final String ANSWER = "took ";

  private LoadProbe() {}

  /**
   * Prints a line and waits for a byte on standard input three times: after the start, after the
   * data set is loaded, and after every training example has been read once. The line has the
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

  /** Prints the seconds since {@code start} in nanoseconds and waits; returns the next start. */
  private static long said(long start) throws IOException {
    System.out.println(ANSWER + (System.nanoTime() - start) / 1e9);
    System.in.read();
    return System.nanoTime();
  }
}
