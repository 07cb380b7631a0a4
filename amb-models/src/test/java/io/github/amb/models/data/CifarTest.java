package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.source.PublishedFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CifarTest {
  private static final int RECORD = 3073;

  @TempDir Path folder;

  @Test
  void readsRecordsOfSeveralFilesPlaneByPlane() throws IOException {
    Path first = IdxFiles.write(folder.resolve("1.bin"), records(2, 3));
    Path second = IdxFiles.write(folder.resolve("2.bin.gz"), IdxFiles.gzip(records(2, 7)));
    Examples examples = Cifar.ten().read(List.of(first, second), 2);
    assertEquals(4, examples.count());
    assertEquals(3, examples.label(0));
    assertEquals(7, examples.label(3));
    float[] features = new float[3072];
    examples.copyFeatures(3, features);
    // Record 1 of the second file: the first green pixel is byte 1 + 1024 of the record.
    assertEquals(((RECORD + 1025) % 200) / 255f, features[1024], 1e-7f);
  }

  @Test
  void aFileOfTheUsersIsNotReplaced() throws IOException {
    Cifar set = Cifar.ten();
    Path own = Files.createDirectory(folder.resolve(set.folder())).resolve("test_batch.bin");
    Files.writeString(own, "mine");
    String message =
        assertThrows(UsageException.class, () -> set.fetch(folder, null, line -> {})).getMessage();
    assertTrue(message.startsWith(own + ": expected SHA-256 "), message);
    assertEquals("mine", Files.readString(own));
  }

  @Test
  void anArchiveIsDeletedIfItWasFetchedAndUnpacked() throws IOException {
    ByteArrayOutputStream files = new ByteArrayOutputStream();
    for (PublishedFile file : Cifar.ten().files()) {
      files.write(TarFiles.entry("cifar-10-batches-bin/" + file.name(), new byte[3]));
    }
    Path archive = IdxFiles.write(folder.resolve("x.gz"), IdxFiles.gzip(files.toByteArray()));
    Cifar.ten().unpack(archive, false);
    assertEquals(3, Files.size(folder.resolve("test_batch.bin")));
    assertTrue(Files.exists(archive));
    Cifar.ten().unpack(archive, true);
    assertFalse(Files.exists(archive));
    Path broken = IdxFiles.write(folder.resolve("y.gz"), IdxFiles.gzip(new byte[512]));
    assertThrows(IOException.class, () -> Cifar.ten().unpack(broken, true));
    assertTrue(Files.exists(broken));
  }

  @Test
  void aLabelOutOfRangeIsRejectedWithItsOffset() throws IOException {
    byte[] content = records(2, 3);
    content[RECORD] = 11;
    Path file = IdxFiles.write(folder.resolve("1.bin"), content);
    assertEquals(file + ": offset 3073: expected a label from 0 to 9, found 11", problem(file, 2));
  }

  @Test
  void aLabelOfACompressedFileIsChecked() throws IOException {
    byte[] content = records(2, 3);
    content[RECORD] = 12;
    Path file = IdxFiles.write(folder.resolve("1.bin.gz"), IdxFiles.gzip(content));
    assertEquals(file + ": offset 3073: expected a label from 0 to 9, found 12", problem(file, 2));
  }

  @Test
  void labelsOfMoreRecordsThanAreReadAtOnceAreFound() throws IOException {
    byte[] content = records(23, 3);
    content[20 * RECORD] = 5;
    content[22 * RECORD] = 9;
    Path file = IdxFiles.write(folder.resolve("1.bin"), content);
    Examples examples = Cifar.ten().read(List.of(file), 23);
    for (int i = 0; i < 23; i++) {
      assertEquals(i == 20 ? 5 : i == 22 ? 9 : 3, examples.label(i), "record " + i);
    }
    content[22 * RECORD] = 10;
    IdxFiles.write(file, content);
    assertEquals(
        file + ": offset " + 22 * RECORD + ": expected a label from 0 to 9, found 10",
        problem(file, 23));
  }

  @Test
  void truncatedAndLongFilesAreRejected() throws IOException {
    Path file = IdxFiles.write(folder.resolve("1.bin"), records(2, 3));
    assertTrue(problem(file, 3).contains("expected 9219 bytes of 3 records"), problem(file, 3));
    assertTrue(problem(file, 1).contains("offset 3073: expected the end"), problem(file, 1));
  }

  /** As {@code cifar-100-binary/test.bin}: a coarse and a fine label, then the planes. */
  @Test
  void cifar100HasFineAndCoarseLabels() throws IOException {
    byte[] content = new byte[2 * 3074];
    content[0] = 19;
    content[1] = 99;
    content[3074 + 1] = 7;
    content[3074 + 2 + 1024] = 51;
    Path file = IdxFiles.write(folder.resolve("test.bin"), content);
    Examples fine = Cifar.hundred().read(List.of(file), 2);
    assertEquals(99, fine.label(0));
    assertEquals(7, fine.label(1));
    float[] image = new float[3072];
    fine.copyFeatures(1, image);
    assertEquals(0.2f, image[1024], 1e-7);
    Cifar coarse = (Cifar) DataSets.definition("cifar100:coarse");
    assertEquals(20, coarse.classes());
    assertEquals("cifar-100-binary", coarse.folder());
    assertEquals(19, coarse.read(List.of(file), 2).label(0));
    content[0] = 20;
    content[1] = 100;
    IdxFiles.write(file, content);
    for (Cifar set : List.of(coarse, Cifar.hundred())) {
      String problem =
          assertThrows(UsageException.class, () -> set.read(List.of(file), 2)).getMessage();
      assertTrue(problem.contains("expected a label from 0 to " + (set.classes() - 1)), problem);
    }
    assertThrows(UsageException.class, () -> DataSets.definition("cifar100:rough"));
    assertFalse(Cifar.hundred().hasChecksums());
  }

  private static String problem(Path file, int records) {
    return assertThrows(UsageException.class, () -> Cifar.ten().read(List.of(file), records))
        .getMessage();
  }

  /** Records whose pixel at byte i of the file is i modulo 200. */
  private static byte[] records(int count, int label) {
    byte[] content = new byte[count * RECORD];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i % RECORD == 0 ? label : i % 200);
    }
    return content;
  }
}
