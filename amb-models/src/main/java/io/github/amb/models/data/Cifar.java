package io.github.amb.models.data;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.MappedFiles;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.source.DataFile;
import io.github.amb.models.data.source.Download;
import io.github.amb.models.data.source.PublishedFile;
import io.github.amb.models.data.source.TarGz;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CIFAR-10 and CIFAR-100 in their binary versions: files of records, each of labels of a byte and
 * three planes of 32x32 (Krizhevsky: "Learning Multiple Layers of Features from Tiny Images", 2009;
 * https://www.cs.toronto.edu/~kriz/cifar.html). A record of CIFAR-100 has a coarse label and a fine
 * one.
 *
 * @param description name and texts
 * @param labels bytes of a record before its pixels
 * @param label which of them is the label
 * @param classes labels are 0 to this − 1
 * @param archive the file that has the files
 * @param files those for training, with as many records each, and that for testing
 */
record Cifar(
    Description description,
    int labels,
    int label,
    int classes,
    PublishedFile archive,
    List<PublishedFile> files)
    implements DataSetDefinition {
  private static final ImageShape SHAPE = new ImageShape(3, 32, 32);
  private static final int TRAIN = 50_000;
  private static final int TEST = 10_000;
  private static final String SITE = "https://www.cs.toronto.edu/~kriz/";

  static Cifar ten() {
    return new Cifar(
        Description.of("cifar10", "tiny photographs, 50,000 + 10,000 images 3x32x32")
            .use("Convolutional networks; the data of AMB's larger experiments.")
            .source("Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009")
            .aliases("cifar-10"),
        1,
        0,
        10,
        new PublishedFile(
            "cifar-10-binary.tar",
            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
            170_052_171,
            null),
        files(
            "data_batch_1.bin cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5",
            "data_batch_2.bin a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed",
            "data_batch_3.bin bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67",
            "data_batch_4.bin 014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48",
            "data_batch_5.bin 755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add",
            "test_batch.bin 8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"));
  }

  /**
   * The archive's checksum is that of TensorFlow Datasets; those of its files are not published.
   */
  static Cifar hundred() {
    return new Cifar(
        Description.of("cifar100", "as cifar10, 100 classes; with coarse 20 of them")
            .use("As cifar10, harder: a class has 500 training images.")
            .source("Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009")
            .aliases("cifar-100"),
        2,
        1,
        100,
        new PublishedFile(
            "cifar-100-binary.tar",
            "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
            168_513_733,
            null),
        files("train.bin", "test.bin"));
  }

  /** Files, each as its name and the SHA-256 that is published, if one is. */
  private static List<PublishedFile> files(String... files) {
    return Stream.of(files)
        .map(file -> file.split(" "))
        .map(file -> new PublishedFile(file[0], null, 0, file.length > 1 ? file[1] : null))
        .toList();
  }

  @Override
  public String arguments() {
    return labels > 1 ? "[:coarse]" : "";
  }

  @Override
  public DataSetDefinition chosen(String text, EntryArguments arguments) {
    return arguments.flag("coarse")
        ? new Cifar(description.named(text), labels, 0, 20, archive, files)
        : this;
  }

  @Override
  public String network() {
    return "cifar10-cnn";
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
  public String folder() {
    return labels > 1 ? "cifar-100-binary" : "cifar-10-batches-bin";
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    Path folder = directory.resolve(folder());
    if (isComplete(folder)) {
      progress.accept(folder + ": already there");
      return;
    }
    Path packed = folder.resolve(archive.name() + ".gz");
    URI address = URI.create(SITE + packed.getFileName());
    boolean fetched =
        download.fetch(packed, archive.gzipSha256(), archive.gzipLength(), List.of(address));
    unpack(packed, fetched);
    progress.accept(folder + ": fetched");
  }

  /**
   * Makes the files beside their archive.
   *
   * @param fetched whether the archive is deleted then; one that was there is the user's
   */
  void unpack(Path archive, boolean fetched) throws IOException {
    TarGz.extract(
        archive,
        files.stream()
            .map(PublishedFile::name)
            .collect(Collectors.toMap(Function.identity(), archive::resolveSibling)));
    if (fetched) {
      Files.delete(archive);
    }
  }

  private boolean isComplete(Path folder) throws IOException {
    boolean complete = true;
    for (PublishedFile file : files) {
      Path there = folder.resolve(file.name());
      complete &=
          file.plainSha256() == null
              ? Files.exists(there)
              : Sha256.isThere(there, file.plainSha256());
    }
    return complete;
  }

  @Override
  public DataSet load(Path directory, long seed) {
    DataDirectory location = new DataDirectory(this, directory);
    List<Path> paths = files.stream().map(location::find).toList();
    int train = paths.size() - 1;
    Supplier<DecodedSet> source =
        () ->
            new DecodedSet(
                SHAPE,
                classes,
                read(paths.subList(0, train), TRAIN / train),
                read(paths.subList(train, paths.size()), TEST));
    if (paths.stream().anyMatch(DataFile::isGzip)) {
      return location.once(source);
    }
    return source.get().named(name());
  }

  /**
   * Maps plain files into memory, and decodes others.
   *
   * @param records expected number of records in each file
   */
  StoredExamples read(List<Path> files, int records) {
    byte[] all = new byte[files.size() * records];
    ByteBuffer[] contents = new ByteBuffer[files.size()];
    Arrays.setAll(contents, i -> content(files.get(i), records, all, i * records));
    return new ByteExamples(labels, Labels.of(all), contents);
  }

  /** The records of a file, whose labels go into an array from an index on. */
  private ByteBuffer content(Path file, int records, byte[] all, int first) {
    int size = labels + SHAPE.size();
    int length = records * size;
    String what = records + " records of " + size + " bytes";
    boolean compressed = DataFile.isGzip(file);
    try (DataFile in = DataFile.open(file)) {
      in.expectAtLeast(length, what);
      ByteBuffer content =
          compressed ? ByteBuffer.wrap(in.read(length, what)) : MappedFiles.map(file);
      for (int i = 0; i < records; i++) {
        int at = i * size + label;
        all[first + i] = checked(content.get(at), at, in);
      }
      if (compressed) {
        in.expectEnd(what);
      } else if (content.limit() > length) {
        throw in.error(length, "the end of the file after " + what, "more bytes");
      }
      return content;
    }
  }

  private byte checked(byte found, long offset, DataFile in) {
    if ((found & 0xff) >= classes) {
      throw in.error(offset, "a label from 0 to " + (classes - 1), Integer.toString(found & 0xff));
    }
    return found;
  }
}
