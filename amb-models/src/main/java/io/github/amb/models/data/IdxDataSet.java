package io.github.amb.models.data;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.source.Download;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * MNIST, and data sets in the same four files: 28x28 gray images.
 *
 * @param description name and texts
 * @param kind numbers of classes and images
 * @param files training images, training labels, test images, test labels
 * @param mirrors addresses of the folder that has the files as gzip, best first
 */
public record IdxDataSet(
    Description description, Kind kind, List<PublishedFile> files, List<String> mirrors)
    implements DataSetDefinition {
  private static final ImageShape SHAPE = new ImageShape(1, 28, 28);

  /** That of MNIST. */
  static final Kind MNIST = new Kind(10, 0, 60_000, 10_000);

  /**
   * The parts of EMNIST in its IDX files (Cohen et al., "EMNIST: an extension of MNIST to
   * handwritten letters", 2017; https://www.nist.gov/itl/products-and-services/emnist-dataset).
   * Letters have labels from 1.
   */
  private static final Map<String, Kind> EMNIST =
      Map.of(
          "balanced", new Kind(47, 0, 112_800, 18_800),
          "byclass", new Kind(62, 0, 697_932, 116_323),
          "bymerge", new Kind(47, 0, 697_932, 116_323),
          "digits", new Kind(10, 0, 240_000, 40_000),
          "letters", new Kind(26, 1, 124_800, 20_800),
          "mnist", MNIST);

  /**
   * Numbers of a data set.
   *
   * @param classes number of classes
   * @param first the first label
   * @param train number of training images
   * @param test number of test images
   */
  record Kind(int classes, int first, int train, int test) {}

  static IdxDataSet emnist() {
    return emnist(
        Description.of("emnist", "handwritten letters and digits, images 1x28x28, transposed")
            .use("As mnist, with up to 62 classes.")
            .source("Cohen et al., EMNIST, 2017"),
        "balanced");
  }

  private static IdxDataSet emnist(Description description, String part) {
    List<PublishedFile> files =
        Stream.of("train-images-idx3", "train-labels-idx1", "test-images-idx3", "test-labels-idx1")
            .map(name -> "emnist-%s-%s-ubyte".formatted(part, name))
            .map(name -> new PublishedFile(name, null, 0, null))
            .toList();
    return new IdxDataSet(description, EMNIST.get(part), files, List.of());
  }

  @Override
  public String arguments() {
    return hasChecksums() ? "" : "[:" + String.join("|", new TreeSet<>(EMNIST.keySet())) + "]";
  }

  @Override
  public DataSetDefinition chosen(String text, EntryArguments arguments) {
    String part = arguments.text("balanced");
    if (!EMNIST.containsKey(part)) {
      throw new UsageException(
          "data set emnist: expected %s, found %s", arguments(), Printable.shown(part));
    }
    return emnist(description.named(text), part);
  }

  @Override
  public String folder() {
    return name().split(":")[0];
  }

  static IdxDataSet mnist() {
    return new IdxDataSet(
        Description.of("mnist", "handwritten digits, 60,000 + 10,000 images 1x28x28")
            .use("The usual first data set; a small network reaches 0.99.")
            .source("LeCun et al., Gradient-Based Learning Applied to Document Recognition, 1998"),
        MNIST,
        files(
            List.of(9_912_422L, 28_881L, 1_648_877L, 4_542L),
            "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
            "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
            "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
            "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
        List.of(
            "https://ossci-datasets.s3.amazonaws.com/mnist/",
            "https://storage.googleapis.com/cvdf-datasets/mnist/"));
  }

  static IdxDataSet fashionMnist() {
    return new IdxDataSet(
        Description.of("fashion-mnist", "articles of clothing, 60,000 + 10,000 images 1x28x28")
            .use("As mnist, but harder: small networks stay near 0.92.")
            .source("Xiao et al., Fashion-MNIST, 2017"),
        MNIST,
        files(
            List.of(26_421_880L, 29_515L, 4_422_102L, 5_148L),
            "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
            "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
            "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
            "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
            "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
            "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
            "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
            "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"),
        List.of(
            "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/",
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"));
  }

  /**
   * @param lengths bytes of each gzip file
   * @param sha256 for each file, SHA-256 of its gzip and of its plain form
   */
  private static List<PublishedFile> files(List<Long> lengths, String... sha256) {
    return List.of(
        new PublishedFile("train-images-idx3-ubyte", sha256[0], lengths.get(0), sha256[1]),
        new PublishedFile("train-labels-idx1-ubyte", sha256[2], lengths.get(1), sha256[3]),
        new PublishedFile("t10k-images-idx3-ubyte", sha256[4], lengths.get(2), sha256[5]),
        new PublishedFile("t10k-labels-idx1-ubyte", sha256[6], lengths.get(3), sha256[7]));
  }

  @Override
  public String network() {
    return "mnist-cnn";
  }

  @Override
  public int trainingExamples() {
    return kind.train;
  }

  @Override
  public int testExamples() {
    return kind.test;
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    if (mirrors.isEmpty()) {
      throw new UsageException(
          "data set emnist: expected its files in %s, as it is published in one archive: unpack https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip there",
          directory.resolve(folder()));
    }
    for (PublishedFile file : files) {
      Path target = directory.resolve(folder()).resolve(file.name() + ".gz");
      List<URI> addresses =
          mirrors.stream().map(base -> URI.create(base + target.getFileName())).toList();
      download.fetch(target, file.gzipSha256(), file.gzipLength(), addresses, progress);
    }
  }

  @Override
  public DataSet load(Path directory, long seed) {
    DataDirectory location = new DataDirectory(this, directory);
    return location.once(
        () ->
            new DecodedSet(
                SHAPE,
                kind.classes,
                examples(location.find(files.get(0)), location.find(files.get(1))),
                examples(location.find(files.get(2)), location.find(files.get(3)))));
  }

  private StoredExamples examples(Path imageFile, Path labelFile) {
    IdxReader.Images images = IdxReader.images(imageFile, SHAPE.height(), SHAPE.width());
    byte[] labels =
        IdxReader.labels(labelFile, kind.first, kind.classes, imageFile, images.count());
    return new ByteExamples(images.pixels(), labels);
  }
}
