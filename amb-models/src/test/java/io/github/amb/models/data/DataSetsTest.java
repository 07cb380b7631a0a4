package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.CacheDirectory;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetsTest {
  @TempDir Path folder;

  @Test
  void loadsASetInMnistsFilesWithNormalizedPixels() throws IOException {
    IdxFiles.writeSet(folder.resolve("mnist"), 12, 5);
    DataSet data = DataSets.load("mnist", folder, 1);
    assertEquals(12, data.train().count());
    assertEquals(5, data.test().count());
    assertEquals(new ImageShape(1, 28, 28), data.shape());
    assertEquals(3, data.test().label(3));
    float[] features = new float[784];
    data.train().copyFeatures(1, features);
    assertEquals((784 % 251) / 255f, features[0], 1e-7f);
    assertEquals((1567 % 251) / 255f, features[783], 1e-7f);
  }

  @Test
  void fewExamplesAreRemarkedUpon() throws IOException {
    IdxFiles.writeSet(folder, 12, 5);
    DataSet few = DataSets.load("mnist", folder, 1);
    assertEquals(
        List.of(
            "data set mnist has no test example of 5 of 10 classes: [5, 6, 7, 8, 9]",
            "data set mnist has 12 training examples, fewer than the batch size of 16",
            "data set mnist has 5 test examples, too few for a measured accuracy to say much"),
        few.remarks(16));
    assertEquals(List.of(), DataSets.load("toy", null, 1).remarks(16));
  }

  @Test
  void underscoresAreAccepted() throws IOException {
    IdxFiles.writeSet(folder.resolve("fashion-mnist"), 2, 2);
    assertEquals("fashion-mnist", DataSets.load("fashion_mnist", folder, 1).name());
  }

  @Test
  void checksumsNameEveryFile() throws IOException {
    IdxFiles.writeSet(folder, 2, 2);
    assertEquals(
        List.of(
            "train-images-idx3-ubyte",
            "train-labels-idx1-ubyte.gz",
            "t10k-images-idx3-ubyte.gz",
            "t10k-labels-idx1-ubyte"),
        List.copyOf(DataSets.definition("mnist").checksums(folder).keySet()));
    assertEquals(Map.of(), DataSets.definition("digits").checksums(null));
  }

  @Test
  void filesThatAreNotThePublishedOnesAreNamed() {
    String gzip = "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609";
    String plain = "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5";
    assertEquals(
        List.of("t10k-labels-idx1-ubyte"),
        DataSets.unpublished(
            "mnist",
            Map.of(
                "train-images-idx3-ubyte.gz", gzip,
                "train-labels-idx1-ubyte", plain,
                "t10k-labels-idx1-ubyte", gzip.replace('4', '5'))));
    assertEquals(List.of(), DataSets.unpublished("own.csv", Map.of("own.csv", gzip)));
  }

  @Test
  void anUnknownNameGetsASuggestion() {
    assertEquals("unknown data set 'mnst', did you mean 'mnist'?", problem("mnst"));
  }

  @Test
  void filesNeedADirectory() {
    assertTrue(problem("mnist").contains("amb data fetch mnist --data-dir DIR"));
  }

  @Test
  void imagesOfAnotherSizeAreRejected() throws IOException {
    IdxFiles.writeSet(folder, 2, 2);
    Path file = folder.resolve("train-images-idx3-ubyte");
    IdxFiles.write(file, IdxFiles.images(2, 14, 28));
    assertEquals(
        file + ": offset 8: expected images of 28x28, found 14x28", problem("mnist", folder));
  }

  @Test
  void asManyLabelsAsImagesAreExpected() throws IOException {
    IdxFiles.writeSet(folder, 4, 2);
    Path labels = IdxFiles.write(folder.resolve("train-labels-idx1-ubyte"), IdxFiles.labels(3));
    assertEquals(
        "%s: offset 4: expected 4 labels, one for each image of %s, found 3"
            .formatted(labels, folder.resolve("train-images-idx3-ubyte")),
        problem("mnist", folder));
  }

  @Test
  void contentBeyondTheHeaderIsNotCached() throws IOException {
    IdxFiles.writeSet(folder, 2, 2);
    byte[] bomb = Arrays.copyOf(IdxFiles.images(2, 28, 28), 40_000_000);
    Path file = IdxFiles.write(folder.resolve("t10k-images-idx3-ubyte.gz"), IdxFiles.gzip(bomb));
    List<Path> before = kept();
    String problem = problem("mnist", folder);
    assertTrue(problem.startsWith(file + ": offset 1584: expected the end of the file"), problem);
    assertEquals(before, kept());
  }

  @Test
  void imagesWithoutTheirLabelsAreNotKept() throws IOException {
    IdxFiles.writeSet(folder, 2, 3);
    Path file = folder.resolve("t10k-images-idx3-ubyte.gz");
    byte[] images = IdxFiles.images(3, 28, 28);
    images[100] = 77;
    IdxFiles.write(file, IdxFiles.gzip(images));
    IdxFiles.write(folder.resolve("t10k-labels-idx1-ubyte"), IdxFiles.labels(2));
    List<Path> before = kept();
    assertTrue(problem("mnist", folder).contains("expected 3 labels"));
    assertEquals(before, kept());
  }

  /** Files of MNIST in the cache. */
  private static List<Path> kept() throws IOException {
    Files.createDirectories(CacheDirectory.usual());
    try (Stream<Path> all = Files.list(CacheDirectory.usual())) {
      return all.filter(file -> file.getFileName().toString().startsWith("mnist-")).toList();
    }
  }

  private static String problem(String name) {
    return problem(name, null);
  }

  private static String problem(String name, Path directory) {
    return assertThrows(UsageException.class, () -> DataSets.load(name, directory, 1)).getMessage();
  }
}
