package io.github.amb.runtime.train.part;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Parameters that a run starts from in place of drawn ones. */
final class StartParameters {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private StartParameters() {}

  /**
   * The file that is meant: of a run, the parameters of its newest checkpoint.
   *
   * @throws IOException if the checkpoints cannot be listed
   */
  static Path file(String given) throws IOException {
    Path path = Path.of(given);
    RunDirectory run = new RunDirectory(path);
    if (Files.exists(run.info())) {
      CheckpointDirectory all = new CheckpointDirectory(run.checkpoints(), Origin.ANY);
      List<Long> steps = all.steps();
      path = all.ofStep(steps.isEmpty() ? 0 : Collections.max(steps));
    }
    return Files.isDirectory(path) ? path.resolve(Checkpoint.PARAMETERS) : path;
  }

  /**
   * Writes them into a flat vector.
   *
   * @param given a run, a checkpoint, or a file: an archive of arrays or safetensors by the names
   *     of the blocks, as {@code amb export} writes them, else the flat vector as NumPy's array
   * @param target modified
   * @throws UsageException if they cannot be read, or names or shapes are others
   */
  static void copy(String given, Layout layout, float[] target) {
    try {
      Path file = file(given);
      if (file.toString().endsWith(".npz")) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
          for (Block block : layout.blocks()) {
            ZipEntry entry = zip.getEntry(block.name() + ".npy");
            copy(file, entry == null ? null : zip.getInputStream(entry), block, target);
          }
        }
      } else if (file.toString().endsWith(".safetensors")) {
        safetensors(file, layout, target);
      } else {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          copy(file, in, new Block("", Block.Kind.WEIGHT, 0, target.length), target);
        }
      }
    } catch (IOException e) {
      throw new UsageException("--init-from: cannot be read: " + FileFailure.text(e));
    }
  }

  /**
   * The length of a JSON header, the header with each tensor's type, shape and place, and values.
   */
  private static void safetensors(Path file, Layout layout, float[] target) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = Math.min(channel.size(), Integer.MAX_VALUE);
      ByteBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      all.order(ByteOrder.LITTLE_ENDIAN);
      long length = size < Long.BYTES ? -1 : all.getLong();
      if (length < 0 || length > all.remaining()) {
        throw other(new Block("", Block.Kind.WEIGHT, 0, target.length), "no safetensors", file);
      }
      byte[] header = new byte[(int) length];
      all.get(header);
      FloatBuffer values = all.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
      JsonNode tensors = JSON.readTree(header);
      for (Block block : layout.blocks()) {
        JsonNode tensor = tensors.path(block.name());
        String shape = Arrays.toString(block.shape()).replace(" ", "");
        long start = tensor.path("data_offsets").path(0).asLong(-1);
        if (!tensor.path("dtype").asText().equals("F32")
            || !tensor.path("shape").toString().equals(shape)
            || start < 0
            || start % Float.BYTES != 0
            || start / Float.BYTES + block.length() > values.capacity()) {
          throw other(block, tensor.isMissingNode() ? "none" : tensor.toString(), file);
        }
        values.get((int) (start / Float.BYTES), target, block.offset(), block.length());
      }
    }
  }

  private static UsageException other(Block expected, String found, Path file) {
    return new UsageException(
        "--init-from: expected parameters %s, found %s in %s", expected, found, file);
  }

  private static void copy(Path file, InputStream in, Block block, float[] target)
      throws IOException {
    NpyArray array = in == null ? null : NpyArray.read(file.toString(), in);
    if (array == null || !Arrays.equals(array.shape(), block.shape())) {
      throw other(block, array == null ? "none" : Arrays.toString(array.shape()), file);
    }
    for (int i = 0; i < array.length(); i++) {
      target[block.offset() + i] = (float) array.get(i);
    }
  }
}
