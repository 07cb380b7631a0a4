package io.github.amb.runtime.export;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.train.part.RunNetwork;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The format that {@code ModelSerializer.restoreMultiLayerNetwork} reads, with DL4J's own layers
 * only.
 */
final class Dl4jExport implements ExportFormats.Writer {
  @Override
  public void write(RunInfo run, Checkpoint checkpoint, Path file) throws IOException {
    RunNetwork.of(run).write(checkpoint.parameters(), file);
  }
}
