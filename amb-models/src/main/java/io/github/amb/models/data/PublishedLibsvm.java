package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.source.Download;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sparse two-class data in LIBSVM's text, on which linear models are compared. A copy that somebody
 * has published is fetched, with the checksum that it had in November 2026.
 *
 * @param bytes size of the file
 * @param examples in the file, of which every tenth is held out
 */
record PublishedLibsvm(
    Description description, PublishedFile file, URI address, long bytes, int examples)
    implements DataSetDefinition {
  static PublishedLibsvm a9a() {
    return new PublishedLibsvm(
        Description.of("a9a", "incomes of adults, 32,560 examples of 122 features that are 0 or 1")
            .use("Logistic regression as papers on optimization compare it; labels are 0 and 1.")
            .source("UCI Adult as prepared by Platt, 1998; LIBSVM's file has one example more"),
        new PublishedFile(
            "a9a", null, 0, "ef89967ad487b189379ef13ff752b69bf3487c07ff50f821c800aa983b6ae819"),
        address("VinceShieh/Spark-AdaOptimizer/03a3f4ac1fc83c4ce724ddc3b1ccfe78e1f66341/data/a9a"),
        2_297_242,
        32_560);
  }

  static PublishedLibsvm w8a() {
    return new PublishedLibsvm(
        Description.of("w8a", "web pages, 49,749 examples of 300 features that are 0 or 1")
            .use("As a9a; 3 % of the examples are of the second class.")
            .source("Platt, 1998, as the LIBSVM data page distributes it"),
        new PublishedFile(
            "w8a", null, 0, "b464b4f6ce6a5d9e181ffc793e19a04751036273722312398ef7673705014902"),
        address("unc-optimization/AccSPD/3070cba175cea54d581b1c6410d173e455350775/data/w8a"),
        3_478_239,
        49_749);
  }

  private static URI address(String path) {
    return URI.create("https://raw.githubusercontent.com/" + path);
  }

  @Override
  public String network() {
    return "logistic-regression:l2=0";
  }

  @Override
  public int trainingExamples() {
    return examples - testExamples();
  }

  @Override
  public int testExamples() {
    return (examples + 9) / 10;
  }

  @Override
  public List<PublishedFile> files() {
    return List.of(file);
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    Path target = directory.resolve(folder()).resolve(file.name());
    download.fetch(target, file.plainSha256(), bytes, List.of(address), progress);
  }

  @Override
  public DataSet load(Path directory, long seed) {
    Path path = new DataDirectory(this, directory).find(file);
    return new LibsvmDataSet(name(), path, null, false).load(directory, seed);
  }
}
