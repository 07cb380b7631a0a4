package io.github.amb.runtime.export;

import io.github.amb.core.file.DurableName;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.train.part.RunNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The formats by name. To add one of ours, add a class and a line here. */
public final class ExportFormats implements Plugin<ExportFormats.Entry> {
  static final Registry<Entry> ALL = new Registry<>("format", Entry.class);

  @Override
  public Class<Entry> kind() {
    return Entry.class;
  }

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("npz", "NumPy's archive, an array per block"), "npz", new NpzExport()),
        new Entry(
            Description.of("safetensors", "Hugging Face's format, a tensor per block"),
            "safetensors",
            new SafetensorsExport()),
        new Entry(
            Description.of("dl4j", "Deeplearning4j's ModelSerializer"),
            "zip",
            (run, checkpoint, file) -> RunNetwork.of(run).write(checkpoint.parameters(), file)));
  }

  /** Writes one format. */
  @FunctionalInterface
  public interface Writer {
    /** Writes a checkpoint's parameters to a new file. */
    void write(RunInfo run, Checkpoint checkpoint, Path file) throws IOException;
  }

  /**
   * A format that the user can name.
   *
   * @param description name and texts
   * @param ending of the file's name
   * @param writer writes it
   */
  public record Entry(Description description, String ending, Writer writer)
      implements Registry.Entry {
    /**
     * Writes a checkpoint's parameters. The file appears complete and on the disk, or not at all.
     *
     * @param file a new file
     */
    void create(RunInfo run, Checkpoint checkpoint, Path file) throws IOException {
      DurableName.create(file, part -> writer.write(run, checkpoint, part));
    }
  }
}
