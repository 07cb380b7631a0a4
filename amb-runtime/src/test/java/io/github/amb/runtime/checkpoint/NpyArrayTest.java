package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.factory.Nd4j;

class NpyArrayTest {
  private static byte[] bytes(Object array) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NpyArray.write(out, array);
    return out.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException {
    return NpyArray.readValues("x.npy", new ByteArrayInputStream(bytes), bytes.length);
  }

  /** What {@code numpy.save("x.npy", numpy.array([1, -2], "<f4"))} of NumPy 2.4 writes. */
  @Test
  void theBytesAreThoseOfNumpy() throws IOException {
    String expected =
        "\u0093NUMPY\u0001\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
            + " ".repeat(60)
            + "\n"
            + "\0\0\u0080\u003f\0\0\0\u00c0";
    assertEquals(expected, new String(bytes(new float[] {1, -2}), StandardCharsets.ISO_8859_1));
  }

  @Test
  void valuesAreKeptWhateverTheirNumber() throws IOException {
    for (int length : List.of(0, 1, 16_383, 16_384, 16_385, 50_001)) {
      float[] floats = new float[length];
      double[] doubles = new double[length];
      long[] longs = new long[length];
      for (int i = 0; i < length; i++) {
        floats[i] = i * 0.37f;
        doubles[i] = -i * 0.37;
        longs[i] = Long.MAX_VALUE - i;
      }
      assertArrayEquals(floats, (float[]) read(bytes(floats)));
      assertArrayEquals(doubles, (double[]) read(bytes(doubles)));
      assertArrayEquals(longs, (long[]) read(bytes(longs)));
    }
  }

  @Test
  void anotherReaderOfTheFormatReadsIt(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("x.npy");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NpyArray.write(out, new float[] {9, 0.5f, -1.25f, 3, 4}, 1, 2, 2);
    Files.write(file, out.toByteArray());
    var read = Nd4j.createFromNpyFile(file.toFile());
    assertArrayEquals(new long[] {2, 2}, read.shape());
    assertArrayEquals(new float[] {0.5f, -1.25f, 3, 4}, read.ravel().toFloatVector());
  }

  @Test
  void aDamagedArrayIsNamedWithItsFile(@TempDir Path directory) throws IOException {
    String problem = "expected an array in NumPy's NPY format, found other bytes";
    var array = assertThrows(UsageException.class, () -> read(new byte[9]));
    assertEquals("x.npy: " + problem, array.getMessage());
    Path file = directory.resolve("master.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("rms/sum.npy"));
      zip.write(new byte[9]);
    }
    var state = assertThrows(DamagedException.class, () -> Checkpoint.state(file));
    assertEquals(file + ": rms/sum.npy: " + problem, state.getMessage());
  }

  /** Any change of a file is rejected or read, and never allocates more memory. */
  @Property(tries = 500)
  void otherBytesAreRejected(
      @ForAll int at, @ForAll byte value, @ForAll @Size(max = 200) byte[] tail) throws IOException {
    byte[] whole = bytes(new float[] {1, 2, 3});
    byte[] changed = whole.clone();
    changed[Math.floorMod(at, changed.length)] = value;
    byte[] cut = Arrays.copyOf(whole, Math.floorMod(at, whole.length));
    for (byte[] bytes : List.of(changed, cut, tail)) {
      try {
        read(bytes);
      } catch (UsageException e) {
        assertTrue(e.getMessage().startsWith("x.npy: expected "), e.getMessage());
      }
    }
    assertThrows(UsageException.class, () -> read(cut));
  }
}
