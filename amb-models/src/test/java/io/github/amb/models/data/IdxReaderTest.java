package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdxReaderTest {
  @TempDir Path folder;

  @Test
  void readsPlainAndGzipImagesAlike() throws IOException {
    byte[] content = IdxFiles.images(3, 4, 5);
    Path plain = IdxFiles.write(folder.resolve("plain"), content);
    Path gzip = IdxFiles.write(folder.resolve("gzip"), IdxFiles.gzip(content));
    for (Path file : new Path[] {plain, gzip}) {
      IdxReader.Images images = IdxReader.images(file);
      assertEquals(3, images.count());
      assertEquals(4, images.rows());
      assertEquals(5, images.columns());
      assertArrayEquals(Arrays.copyOfRange(content, 16, content.length), images.pixels());
    }
  }

  @Test
  void readsLargeHighlyCompressibleGzipFiles() throws IOException {
    byte[] content =
        ByteBuffer.allocate(16 + 2000 * 784)
            .putInt(0x803)
            .putInt(2000)
            .putInt(28)
            .putInt(28)
            .array();
    IdxReader.Images images =
        IdxReader.images(IdxFiles.write(folder.resolve("zeros.gz"), IdxFiles.gzip(content)));
    assertEquals(2000 * 784, images.pixels().length);
  }

  @Test
  void readsLabels() throws IOException {
    Path file = IdxFiles.write(folder.resolve("labels.gz"), IdxFiles.gzip(IdxFiles.labels(12)));
    assertArrayEquals(
        new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}, IdxReader.labels(file, 0, 10, folder, 12));
  }

  static Stream<Arguments> malformedImages() {
    byte[] good = IdxFiles.images(2, 3, 3);
    byte[] gzip = IdxFiles.gzip(good);
    return Stream.of(
        Arguments.of("an empty file", new byte[0], "offset 0", "found 0 bytes"),
        Arguments.of(
            "a labels file",
            IdxFiles.labels(4),
            "offset 0: expected magic number 0x00000803",
            "found 0x00000801"),
        Arguments.of(
            "a header cut short",
            Arrays.copyOf(good, 10),
            "offset 8: expected 4 bytes",
            "found 2 bytes"),
        Arguments.of(
            "pixels cut short",
            Arrays.copyOf(good, 30),
            "offset 16: expected 18 bytes of 2 images of 3x3",
            "found 14 bytes: the file is truncated"),
        Arguments.of(
            "trailing bytes",
            Arrays.copyOf(good, 40),
            "offset 34: expected the end",
            "found more bytes"),
        Arguments.of(
            "no images",
            header(0x803, 0, 3, 3),
            "offset 4: expected a positive number of images",
            "found 0"),
        Arguments.of(
            "a negative size",
            header(0x803, 1, -3, 3),
            "offset 8: expected a positive number of rows",
            "found 4294967293"),
        Arguments.of(
            "a gigantic header",
            header(0x803, 1 << 30, 1 << 15, 1 << 15),
            "offset 4: expected at most 2 GiB",
            "found 1073741824 images"),
        Arguments.of(
            "more pixels than the file",
            header(0x803, 60000, 28, 28),
            "offset 16: expected 47040000 bytes",
            "found 0 bytes"),
        Arguments.of(
            "more pixels than gzip can hold",
            IdxFiles.gzip(header(0x803, 60000, 28, 28)),
            "offset 16: expected 47040000 bytes",
            "too small to hold them"),
        Arguments.of(
            "gzip with trailing pixels",
            IdxFiles.gzip(Arrays.copyOf(good, 40)),
            "offset 34: expected the end",
            "found more bytes"),
        Arguments.of(
            "gzip with missing pixels",
            IdxFiles.gzip(Arrays.copyOf(good, 30)),
            "offset 16: expected 18 bytes",
            "truncated"),
        Arguments.of(
            "gzip cut short",
            Arrays.copyOf(gzip, gzip.length - 12),
            "expected gzip data",
            "found corrupt gzip data"),
        Arguments.of(
            "gzip with a wrong checksum",
            flipped(gzip, gzip.length - 6),
            "expected gzip data",
            "found corrupt gzip data"),
        Arguments.of(
            "gzip of an unknown method", flipped(gzip, 2), "cannot be read", "compression method"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformedImages")
  void malformedImagesAreRejectedWithTheirPlace(
      String what, byte[] content, String expected, String found) throws IOException {
    Path file = IdxFiles.write(folder.resolve("images"), content);
    String message = assertThrows(UsageException.class, () -> IdxReader.images(file)).getMessage();
    assertTrue(message.startsWith(file + ": "), message);
    assertTrue(message.contains(expected), message);
    assertTrue(message.contains(found), message);
  }

  @Test
  void aLabelOutOfRangeIsRejectedWithItsOffset() throws IOException {
    byte[] content = IdxFiles.labels(6);
    content[8 + 4] = 10;
    Path file = IdxFiles.write(folder.resolve("labels"), content);
    String message =
        assertThrows(UsageException.class, () -> IdxReader.labels(file, 0, 10, folder, 6))
            .getMessage();
    assertEquals(file + ": offset 12: expected a label from 0 to 9, found 10", message);
  }

  @Test
  void aMissingFileIsRejected() {
    Path file = folder.resolve("nothing");
    String message = assertThrows(UsageException.class, () -> IdxReader.images(file)).getMessage();
    assertTrue(message.startsWith(file + ": cannot be read"), message);
  }

  private static byte[] header(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(values.length * Integer.BYTES);
    Arrays.stream(values).forEach(buffer::putInt);
    return buffer.array();
  }

  private static byte[] flipped(byte[] content, int index) {
    byte[] copy = content.clone();
    copy[index] ^= 0x10;
    return copy;
  }

  /** As {@code emnist-letters-train-labels-idx1-ubyte.gz}: labels from 1 to 26. */
  @Test
  void lettersOfEmnistHaveLabelsFromOne() throws IOException {
    Path emnist = Files.createDirectory(folder.resolve("emnist"));
    for (String part : List.of("train", "test")) {
      var images = ByteBuffer.allocate(16 + 2 * 784).putInt(0x803).putInt(2).putInt(28).putInt(28);
      var labels = ByteBuffer.allocate(10).putInt(0x801).putInt(2).put((byte) 26).put((byte) 1);
      String name = "emnist-letters-" + part;
      Files.write(emnist.resolve(name + "-images-idx3-ubyte.gz"), IdxFiles.gzip(images.array()));
      Files.write(emnist.resolve(name + "-labels-idx1-ubyte.gz"), IdxFiles.gzip(labels.array()));
    }
    DataSet letters = DataSets.load("emnist:letters", folder, 1);
    assertEquals(26, letters.classes());
    assertEquals(25, letters.train().label(0));
    assertEquals(0, letters.test().label(1));
    assertEquals(124_800, DataSets.definition("emnist:letters").trainingExamples());
    assertEquals(47, ((IdxDataSet) DataSets.definition("emnist")).kind().classes());
    Path zero = IdxFiles.write(folder.resolve("zero"), new byte[] {0, 0, 8, 1, 0, 0, 0, 1, 0});
    String problem =
        assertThrows(UsageException.class, () -> IdxReader.labels(zero, 1, 26, folder, 1))
            .getMessage();
    assertTrue(problem.contains("offset 8: expected a label from 1 to 26, found 0"), problem);
    assertThrows(UsageException.class, () -> DataSets.definition("emnist:words"));
    String fetch =
        assertThrows(
                UsageException.class,
                () -> DataSets.definition("emnist").fetch(folder, null, line -> {}))
            .getMessage();
    assertTrue(fetch.contains("EMNIST/gzip.zip"), fetch);
  }
}
