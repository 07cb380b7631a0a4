package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.state.StateMap;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
  @TempDir Path folder;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    StateMap state = new StateMap();
    double[] values = {1, -0.0, Double.MIN_VALUE};
    state.put("values", values);
    state.put("none", new float[0]);
    Path file = folder.resolve("state.npz");
    try (OutputStream out = Files.newOutputStream(file)) {
      Snapshot.arrays(out, state);
    }
    assertArrayEquals(values, (double[]) Checkpoint.state(file).entries().get("values"));
  }

  /** A small file of somebody else may expand to more than Java's memory. */
  @Test
  void anArchiveThatExpandsIsDamaged() throws IOException {
    Path file = folder.resolve("bomb.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("zeros.npy"));
      NpyArray.write(zip, new float[1 << 20]);
      zip.closeEntry();
    }
    assertTrue(Files.size(file) < 1 << 14);
    DamagedException found = assertThrows(DamagedException.class, () -> Checkpoint.state(file));
    assertTrue(found.getMessage().contains("zeros.npy"), found.getMessage());
  }
}
