package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.factory.Nd4j;

class ParameterFileTest {
  @TempDir Path directory;

  /** What {@code numpy.save("x.npy", numpy.array([1, -2], "<f4"))} of NumPy 2.4 writes. */
  @Test
  void theBytesAreThoseOfNumpy() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    ParameterFile.write(run, 7, new float[] {1, -2});
    String header =
        "\u0093NUMPY\u0001\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
            + " ".repeat(60)
            + "\n"
            + "\0\0\u0080\u003f\0\0\0\u00c0";
    assertEquals(
        header,
        Files.readString(
            directory.resolve("checkpoints/parameters-7.npy"), StandardCharsets.ISO_8859_1));
  }

  @Test
  void valuesAreKeptWhateverTheirNumber() throws IOException {
    for (int length : List.of(0, 1, 16_383, 16_384, 16_385, 50_001)) {
      float[] values = new float[length];
      for (int i = 0; i < length; i++) {
        values[i] = i * 0.37f;
      }
      RunDirectory run = new RunDirectory(directory.resolve("run-" + length));
      ParameterFile.write(run, 1, values);
      byte[] file = Files.readAllBytes(ParameterFile.path(run, 1));
      assertEquals(128 + 4L * length, file.length);
      float[] read = new float[length];
      ByteBuffer.wrap(file, 128, 4 * length)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .get(read);
      assertArrayEquals(values, read);
    }
  }

  @Test
  void anotherReaderOfTheFormatReadsIt() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    ParameterFile.write(run, 1, new float[] {0.5f, -1.25f, 3});
    assertArrayEquals(
        new float[] {0.5f, -1.25f, 3},
        Nd4j.createFromNpyFile(ParameterFile.path(run, 1).toFile()).toFloatVector());
  }

  @Test
  void nothingElseIsLeftInTheDirectory() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    ParameterFile.write(run, 1, new float[3]);
    ParameterFile.write(run, 1, new float[4]);
    try (var files = Files.list(run.checkpoints())) {
      assertEquals(List.of(ParameterFile.path(run, 1)), files.toList());
    }
  }

  /** The checksum is that of sha256sum. */
  @Test
  void theChecksumIsThatOfTheFile() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    assertNull(ParameterFile.sha256(run, 1));
    Files.createDirectories(run.checkpoints());
    Files.writeString(ParameterFile.path(run, 1), "abc");
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ParameterFile.sha256(run, 1));
  }
}
