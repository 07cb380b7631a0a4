package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  /** SHA-256 of "abc" (FIPS 180-2, appendix B.1). */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final PublishedFile IMAGES =
      new PublishedFile("train-images-idx3-ubyte", "none", 0, ABC);
  private static final DataSetDefinition LETTERS =
      new IdxDataSet(Description.of("letters", ""), IdxDataSet.MNIST, List.of(IMAGES), List.of());
  private static final DataSetDefinition OTHER =
      new IdxDataSet(
          Description.of("other", ""),
          IdxDataSet.MNIST,
          List.of(new PublishedFile("train-images-idx3-ubyte", "x", 0, "y")),
          List.of());

  @TempDir Path folder;

  @Test
  void findsFilesInTheSetsFolderOrDirectlyPlainOrGzip() throws IOException {
    for (String name :
        List.of(
            "letters/train-images-idx3-ubyte",
            "letters/train-images-idx3-ubyte.gz",
            "train-images-idx3-ubyte.gz",
            "train-images.idx3-ubyte")) {
      Path place = folder.resolve(name.replace('/', '-'));
      Path file = IdxFiles.write(place.resolve(name), "abc".getBytes());
      assertEquals(file, directory(LETTERS, place).find(IMAGES));
    }
  }

  @Test
  void anotherSetsFileIsRejectedByName() throws IOException {
    Path file = IdxFiles.write(folder.resolve("train-images-idx3-ubyte"), "abc".getBytes());
    String message =
        assertThrows(
                UsageException.class, () -> directory(OTHER, folder).find(OTHER.files().get(0)))
            .getMessage();
    assertEquals(
        file
            + ": expected train-images-idx3-ubyte of data set 'other',"
            + " found train-images-idx3-ubyte of data set 'letters':"
            + " move it away, and fetch the right one with 'amb data fetch other --data-dir "
            + folder
            + "'",
        message);
  }

  @Test
  void filesOfUnknownContentAreAccepted() throws IOException {
    Path file = IdxFiles.write(folder.resolve("train-images-idx3-ubyte"), "xyz".getBytes());
    assertEquals(file, directory(OTHER, folder).find(OTHER.files().get(0)));
  }

  @Test
  void checksumsAreSha256ByFileName() throws IOException {
    IdxFiles.write(folder.resolve("train-images.idx3-ubyte"), "abc".getBytes());
    assertEquals(Map.of("train-images.idx3-ubyte", ABC), directory(LETTERS, folder).checksums());
  }

  @Test
  void aPackedFileMayHaveThePublishedContent() throws IOException {
    Path file = folder.resolve("train-images-idx3-ubyte.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
      packed.write("abc".getBytes());
    }
    assertEquals(
        Map.of(file.getFileName().toString(), ABC), directory(LETTERS, folder).checksums());
  }

  @Test
  void aMissingFileIsReportedWithTheCommandToFetchIt() {
    String message =
        assertThrows(UsageException.class, () -> directory(LETTERS, folder).find(IMAGES))
            .getMessage();
    assertEquals(
        "data set 'letters': expected train-images-idx3-ubyte or train-images-idx3-ubyte.gz in %s or %s, found neither: fetch it with 'amb data fetch letters --data-dir %s'"
            .formatted(folder.resolve("letters"), folder, folder),
        message);
  }

  private static DataDirectory directory(DataSetDefinition set, Path place) {
    return new DataDirectory(set, place, List.of(OTHER, LETTERS));
  }
}
