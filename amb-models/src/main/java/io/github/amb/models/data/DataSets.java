package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import io.github.amb.models.data.example.DataSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The data sets by name. A new one of ours is a definition of its own and an entry here. */
public final class DataSets implements Plugin<DataSetDefinition> {
  /** All data sets, by name. */
  public static final Registry<DataSetDefinition> ALL =
      new Registry<>("data set", DataSetDefinition.class);

  @Override
  public List<DataSetDefinition> entries() {
    return List.of(
        IdxDataSet.mnist(),
        IdxDataSet.fashionMnist(),
        IdxDataSet.emnist(),
        Cifar.ten(),
        Cifar.hundred(),
        OptDigits.DEFINITION,
        Digits.DEFINITION,
        ToyData.DEFINITION,
        LinearModelData.linear(),
        LinearModelData.logistic(),
        new TinyShakespeare(OwnText.CONTEXT),
        new OwnText(null, OwnText.CHARACTERS, OwnText.CONTEXT),
        PublishedLibsvm.a9a(),
        PublishedLibsvm.w8a(),
        QuadraticData.USUAL);
  }

  /**
   * Loads or generates a data set.
   *
   * @param name its name, with dashes or underscores, and arguments if it has some; or the path of
   *     a folder of images per class, of a CSV or of an NPZ file
   * @param directory where its files are, or a directory that holds its folder; may be null for
   *     generated data
   * @param seed the run's seed, on which the toy data depend
   * @throws UsageException if the name is unknown, or files are missing or malformed
   */
  public static DataSet load(String name, Path directory, long seed) {
    return definition(name).load(directory, seed);
  }

  /**
   * Names of the files that differ from the published ones; empty if the data set is generated or
   * the user's own.
   *
   * @param checksums the result of {@link DataSetDefinition#checksums}
   * @throws UsageException if the name is unknown
   */
  public static List<String> unpublished(String name, Map<String, String> checksums) {
    DataSetDefinition set = definition(name);
    return checksums.keySet().stream()
        .filter(file -> set.hasChecksums() && !set.isPublished(checksums.get(file)))
        .toList();
  }

  private static String unknown(String name) {
    String problem = ALL.unknown(name);
    boolean similar = problem.contains("did you mean");
    return similar ? problem : problem + ", or a path of your own, as ./" + name;
  }

  /**
   * The data set of a name, or of a path as in {@link #load}.
   *
   * @throws UsageException if the name is unknown
   */
  public static DataSetDefinition definition(String name) {
    return find(name).orElseThrow(() -> new UsageException(unknown(name)));
  }

  /**
   * The data set of a name, or of a path as in {@link #load}; empty if there is none.
   *
   * @throws UsageException if its arguments are wrong
   */
  public static Optional<DataSetDefinition> find(String name) {
    return ALL.find(name).or(() -> withArguments(name)).or(() -> UserDataSet.at(name));
  }

  /** Data sets without arguments leave {@code NAME:TEXT} to paths. */
  private static Optional<DataSetDefinition> withArguments(String name) {
    return ALL.find(name.split(":", 2)[0])
        .filter(set -> !set.arguments().isEmpty())
        .map(set -> ALL.choose(name))
        .map(choice -> choice.make(typed -> choice.entry().chosen(choice.text(), typed)));
  }
}
