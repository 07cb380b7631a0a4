package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
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
import io.github.amb.models.data.source.Sha256;
import io.github.amb.models.data.source.TarGz;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * CIFAR-10 in its binary version: files of 10,000 records, each a label and three planes of 32x32
 * (Krizhevsky: "Learning Multiple Layers of Features from Tiny Images", 2009).
 */
final class Cifar10 implements DataSetDefinition {
  private static final ImageShape SHAPE = new ImageShape(3, 32, 32);
  private static final int CLASSES = 10;
  private static final int RECORDS = 10_000;

  /** Bytes of a record: its label and its features. */
  private static final int RECORD_BYTES = 1 + SHAPE.size();

  private static final URI ARCHIVE =
      URI.create("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz");
  private static final String ARCHIVE_SHA256 =
      "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd";

  private static final long ARCHIVE_BYTES = 170_052_171;

  private static final List<PublishedFile> FILES =
      List.of(
          file(
              "data_batch_1.bin",
              "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"),
          file(
              "data_batch_2.bin",
              "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"),
          file(
              "data_batch_3.bin",
              "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"),
          file(
              "data_batch_4.bin",
              "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"),
          file(
              "data_batch_5.bin",
              "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"),
          file(
              "test_batch.bin",
              "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"));

  private static PublishedFile file(String name, String sha256) {
    return new PublishedFile(name, null, 0, sha256);
  }

  @Override
  public Description description() {
    return Description.of("cifar10", "tiny photographs, 50,000 + 10,000 images 3x32x32")
        .use("Convolutional networks; the data of AMB's larger experiments.")
        .source("Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009")
        .aliases("cifar-10");
  }

  @Override
  public String network() {
    return "cifar10-cnn";
  }

  @Override
  public int trainingExamples() {
    return 5 * RECORDS;
  }

  @Override
  public int testExamples() {
    return RECORDS;
  }

  @Override
  public String folder() {
    return "cifar-10-batches-bin";
  }

  @Override
  public List<PublishedFile> files() {
    return FILES;
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    Path folder = directory.resolve(folder());
    if (isComplete(folder)) {
      progress.accept(folder + ": already there");
      return;
    }
    Path archive = folder.resolve("cifar-10-binary.tar.gz");
    unpack(archive, download.fetch(archive, ARCHIVE_SHA256, ARCHIVE_BYTES, List.of(ARCHIVE)));
    progress.accept(folder + ": fetched");
  }

  /**
   * Makes the files beside their archive.
   *
   * @param fetched whether the archive is deleted then; one that was there is the user's
   */
  static void unpack(Path archive, boolean fetched) throws IOException {
    TarGz.extract(
        archive,
        FILES.stream()
            .map(PublishedFile::name)
            .collect(Collectors.toMap(Function.identity(), archive::resolveSibling)));
    if (fetched) {
      Files.delete(archive);
    }
  }

  private static boolean isComplete(Path folder) throws IOException {
    boolean complete = true;
    for (PublishedFile file : FILES) {
      complete &= Sha256.isThere(folder.resolve(file.name()), file.plainSha256());
    }
    return complete;
  }

  @Override
  public DataSet load(Path directory, long seed) {
    DataDirectory location = new DataDirectory(this, directory);
    List<Path> paths = new ArrayList<>();
    for (PublishedFile file : FILES) {
      paths.add(location.find(file));
    }
    int train = paths.size() - 1;
    Supplier<DecodedSet> source =
        () ->
            new DecodedSet(
                SHAPE,
                CLASSES,
                read(paths.subList(0, train), RECORDS),
                read(paths.subList(train, paths.size()), RECORDS));
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
  static StoredExamples read(List<Path> files, int records) {
    byte[] labels = new byte[files.size() * records];
    ByteBuffer[] contents = new ByteBuffer[files.size()];
    for (int i = 0; i < contents.length; i++) {
      contents[i] = content(files.get(i), records, labels, i * records);
    }
    return new ByteExamples(1, Labels.of(labels), contents);
  }

  /** The records of a file, whose labels go into an array from an index on. */
  private static ByteBuffer content(Path file, int records, byte[] labels, int first) {
    int length = records * RECORD_BYTES;
    String what = records + " records of " + RECORD_BYTES + " bytes";
    boolean compressed = DataFile.isGzip(file);
    try (DataFile in = DataFile.open(file)) {
      in.expectAtLeast(length, what);
      ByteBuffer content =
          compressed ? ByteBuffer.wrap(in.read(length, what)) : MappedFiles.map(file);
      for (int i = 0; i < records; i++) {
        labels[first + i] = checked(content.get(i * RECORD_BYTES), (long) i * RECORD_BYTES, in);
      }
      if (compressed) {
        in.expectEnd(what);
      } else if (content.limit() > length) {
        throw in.error(length, "the end of the file after " + what, "more bytes");
      }
      return content;
    }
  }

  private static byte checked(byte label, long offset, DataFile in) {
    if ((label & 0xff) >= CLASSES) {
      throw in.error(offset, "a label from 0 to " + (CLASSES - 1), Integer.toString(label & 0xff));
    }
    return label;
  }
}
