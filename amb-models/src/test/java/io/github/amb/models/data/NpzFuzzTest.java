package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DecodedSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Damaged files give examples or the one exception that names them. */
class NpzFuzzTest {
  private static final byte[] ARRAY = NpzFiles.npy("<i8", "2", NpzFiles.longs(1, 0));
  private static final byte[] IMAGES = NpzFiles.npy("|u1", "2, 1, 2, 3", new byte[12]);
  private static final byte[] ARCHIVE =
      NpzFiles.npz(Map.of("x_train", IMAGES, "y_train", ARRAY, "x_test", IMAGES, "y_test", ARRAY));
  private static Path file;

  @BeforeContainer
  static void createFile() throws IOException {
    file = Files.createTempFile("fuzz", ".npz");
  }

  @AfterContainer
  static void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 2000)
  void aDamagedArrayIsReadOrRejected(
      @ForAll @IntRange(max = 200) int length,
      @ForAll @Size(max = 4) int @IntRange(max = 100_000) [] bits)
      throws IOException {
    byte[] bad = damaged(Arrays.copyOf(ARRAY, length > 150 ? ARRAY.length : length), bits);
    try {
      NpyArray array = NpyArray.read("fuzz", new ByteArrayInputStream(bad));
      for (int i = 0; i < array.length(); i++) {
        array.get(i);
      }
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith("fuzz"), e.getMessage());
    }
  }

  @Property(tries = 500)
  void aDamagedArchiveIsReadOrRejected(
      @ForAll @Size(min = 1, max = 4) int @IntRange(max = 100_000) [] bits) throws IOException {
    expectReadOrRejected(damaged(ARCHIVE.clone(), bits));
  }

  @Property(tries = 500)
  void anArchiveOfDamagedArraysIsReadOrRejected(
      @ForAll boolean images, @ForAll @Size(min = 1, max = 3) int @IntRange(max = 100_000) [] bits)
      throws IOException {
    byte[] x = images ? damaged(IMAGES.clone(), bits) : IMAGES;
    byte[] y = images ? ARRAY : damaged(ARRAY.clone(), bits);
    expectReadOrRejected(NpzFiles.npz(Map.of("x_train", x, "y_train", y)));
  }

  @Property(tries = 300)
  void arbitraryBytesAreRejected(@ForAll @Size(max = 100) byte[] content) throws IOException {
    expectReadOrRejected(content);
  }

  private static byte[] damaged(byte[] content, int... bits) {
    for (int bit : bits) {
      if (content.length > 0) {
        int position = Math.floorMod(bit, content.length * 8);
        content[position / 8] ^= (byte) (1 << position % 8);
      }
    }
    return content;
  }

  private static void expectReadOrRejected(byte[] content) throws IOException {
    Files.write(file, content);
    try {
      DecodedSet data = ((UserDataSet) NpzDataSet.of(file.toString()).orElseThrow()).read();
      float[] features = new float[data.shape().size()];
      data.train().copyFeatures(0, features);
      assertTrue(data.train().label(0) < data.classes());
    } catch (UsageException e) {
      assertEquals(0, e.getMessage().indexOf(file.toString()), e.getMessage());
    } catch (IOException e) {
      // What UserDataSet says with the file's name.
    }
  }
}
