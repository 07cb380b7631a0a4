package io.github.amb.runtime.runs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.export.OnnxModel;
import io.github.amb.models.export.PortableNetwork;
import io.github.amb.models.export.TorchModule;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.train.part.RunNetwork;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The formats by name. To add one of ours, add a method and a line here. */
public final class ExportFormats implements Plugin<ExportFormats.Entry> {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  static final Registry<Entry> ALL = new Registry<>("format", Entry.class);

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("npz", "NumPy's archive, an array per block"),
            "npz",
            (run, checkpoint, file) ->
                npz(checkpoint.manifest().layout(), checkpoint.parameters(), file)),
        new Entry(
            Description.of("safetensors", "Hugging Face's format, a tensor per block"),
            "safetensors",
            ExportFormats::safetensors),
        new Entry(
            Description.of("dl4j", "Deeplearning4j's ModelSerializer"),
            "zip",
            (run, checkpoint, file) ->
                RunNetwork.of(run).architecture().write(checkpoint.parameters(), file)),
        new Entry(
            Description.of("onnx", "a model for ONNX Runtime and other programs"),
            "onnx",
            (run, checkpoint, file) -> OnnxModel.write(portable(run, checkpoint), file)),
        new Entry(
            Description.of("pytorch", "a folder with model.py and weights.npz"),
            "pytorch",
            ExportFormats::pytorch));
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
      implements Registry.Entry {}

  /** A zip archive of one {@code .npy} per block, as {@code numpy.load} reads it. */
  private static void npz(Layout layout, float[] parameters, Path file) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
      zip.setMethod(ZipOutputStream.STORED);
      for (Block block : layout.blocks()) {
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

  private static PortableNetwork portable(RunInfo run, Checkpoint checkpoint) throws IOException {
    RunNetwork network = RunNetwork.of(run);
    Map<String, String> facts = new HashMap<>();
    facts.put("run", run.id());
    facts.put("step", Long.toString(checkpoint.step()));
    facts.put("network", network.name());
    facts.put("data-set", network.form().dataSet());
    facts.put("classes", network.form().classes() + " " + network.form().predicted());
    return PortableNetwork.of(network.architecture(), checkpoint.parameters(), facts);
  }

  private static void pytorch(RunInfo run, Checkpoint checkpoint, Path folder) throws IOException {
    PortableNetwork network = portable(run, checkpoint);
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("model.py"), TorchModule.code(network));
    npz(network.layout(), network.values(), folder.resolve("weights.npz"));
    for (Path file : Folder.entries(folder)) {
      AtomicFile.sync(file);
    }
  }

  /** One tensor in the header. */
  private record Tensor(String dtype, int[] shape, List<Long> data_offsets) {}

  /**
   * Safetensors: the length of a JSON header, the header with each tensor's type, shape and place,
   * padded with spaces to eight bytes, and the values, little-endian.
   *
   * <p>https://huggingface.co/docs/safetensors
   */
  private static void safetensors(RunInfo run, Checkpoint checkpoint, Path file)
      throws IOException {
    byte[] header = header(run, checkpoint);
    float[] parameters = checkpoint.parameters();
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.write(length.putLong(header.length).array());
      out.write(header);
      NpyArray.writeValues(out, parameters, 0, parameters.length);
    }
  }

  private static byte[] header(RunInfo run, Checkpoint checkpoint) throws IOException {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("__metadata__", Map.of("run", run.id(), "step", Long.toString(checkpoint.step())));
    for (Block block : checkpoint.manifest().layout().blocks()) {
      long start = (long) Float.BYTES * block.offset();
      long end = (long) Float.BYTES * block.end();
      header.put(block.name(), new Tensor("F32", block.shape(), List.of(start, end)));
    }
    byte[] text = JSON.writeValueAsBytes(header);
    byte[] padded = Arrays.copyOf(text, (text.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
    Arrays.fill(padded, text.length, padded.length, (byte) ' ');
    return padded;
  }
}
