package io.github.amb.runtime.export;

import io.github.amb.core.command.Registry;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The formats by name. To add one, add a class and a line here. */
final class ExportFormats {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "format",
          List.of(
              new Entry("npz", "npz", "NumPy's archive, an array per block", new NpzExport()),
              new Entry(
                  "safetensors",
                  "safetensors",
                  "Hugging Face's format, a tensor per block",
                  new SafetensorsExport()),
              new Entry("dl4j", "zip", "Deeplearning4j's ModelSerializer", new Dl4jExport())));

  private ExportFormats() {}

  /** Writes one format. */
  @FunctionalInterface
  interface Writer {
    /** Writes a checkpoint's parameters to a new file. */
    void write(RunInfo run, Checkpoint checkpoint, Path file) throws IOException;
  }

  /**
   * A format that the user can name.
   *
   * @param name name of the format
   * @param ending ending of the file name
   * @param summary one line for help
   * @param writer writes the format
   */
  record Entry(String name, String ending, String summary, Writer writer)
      implements Registry.Entry {}

  static Registry<Entry> all() {
    return ALL;
  }
}
