package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
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
import java.util.function.Consumer;

/**
 * MNIST, and data sets in the same four files: 28x28 gray images of 10 classes.
 *
 * @param description name and texts
 * @param files training images, training labels, test images, test labels
 * @param mirrors addresses of the folder that has the files as gzip, best first
 */
public record IdxDataSet(Description description, List<PublishedFile> files, List<String> mirrors)
    implements DataSetDefinition {
  private static final ImageShape SHAPE = new ImageShape(1, 28, 28);
  private static final int CLASSES = 10;

  private static final int TRAIN = 60_000;
  private static final int TEST = 10_000;

  static IdxDataSet mnist() {
    return new IdxDataSet(
        Description.of("mnist", "handwritten digits, 60,000 + 10,000 images 1x28x28")
            .use("The usual first data set; a small network reaches 0.99.")
            .source("LeCun et al., Gradient-Based Learning Applied to Document Recognition, 1998"),
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
    return TRAIN;
  }

  @Override
  public int testExamples() {
    return TEST;
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    for (PublishedFile file : files) {
      Path target = directory.resolve(folder()).resolve(file.name() + ".gz");
      List<URI> addresses =
          mirrors.stream().map(base -> URI.create(base + target.getFileName())).toList();
      boolean fetched = download.fetch(target, file.gzipSha256(), file.gzipLength(), addresses);
      progress.accept(target + (fetched ? ": fetched" : ": already there"));
    }
  }

  @Override
  public DataSet load(Path directory, long seed) {
    DataDirectory location = new DataDirectory(this, directory);
    return location.once(
        () ->
            new DecodedSet(
                SHAPE,
                CLASSES,
                examples(location.find(files.get(0)), location.find(files.get(1))),
                examples(location.find(files.get(2)), location.find(files.get(3)))));
  }

  private static StoredExamples examples(Path imageFile, Path labelFile) {
    IdxReader.Images images = IdxReader.images(imageFile, SHAPE.height(), SHAPE.width());
    byte[] labels = IdxReader.labels(labelFile, CLASSES, imageFile, images.count());
    return new ByteExamples(images.pixels(), labels);
  }
}
