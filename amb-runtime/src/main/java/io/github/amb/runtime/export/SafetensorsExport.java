package io.github.amb.runtime.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Safetensors: the length of a JSON header, the header with each tensor's type, shape and place,
 * padded with spaces to eight bytes, and the values, little-endian.
 *
 * <p>https://huggingface.co/docs/safetensors
 */
final class SafetensorsExport implements ExportFormats.Writer {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** One tensor in the header. */
  private record Tensor(String dtype, int[] shape, List<Long> data_offsets) {}

  @Override
  public void write(RunInfo run, Checkpoint checkpoint, Path file) throws IOException {
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
    StringBuilder text = new StringBuilder(JSON.writeValueAsString(header));
    while (text.toString().getBytes(StandardCharsets.UTF_8).length % Long.BYTES != 0) {
      text.append(' ');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
