package io.github.amb.runtime.export;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip archive of one {@code .npy} per block, as {@code numpy.load} reads it. */
final class NpzExport implements ExportFormats.Writer {
  @Override
  public void write(RunInfo run, Checkpoint checkpoint, Path file) throws IOException {
    float[] parameters = checkpoint.parameters();
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
      zip.setMethod(ZipOutputStream.STORED);
      for (Block block : checkpoint.manifest().layout().blocks()) {
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        NpyArray.write(array, parameters, block.offset(), block.shape());
        zip.putNextEntry(stored(block.name() + ".npy", array.toByteArray()));
        array.writeTo(zip);
        zip.closeEntry();
      }
    }
  }

  /** A zip entry with its length in front, which simple readers need. */
  private static ZipEntry stored(String name, byte[] content) {
    CRC32 sum = new CRC32();
    sum.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setSize(content.length);
    entry.setCrc(sum.getValue());
    return entry;
  }
}
