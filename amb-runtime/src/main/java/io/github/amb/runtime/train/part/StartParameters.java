package io.github.amb.runtime.train.part;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Parameters that a run starts from in place of drawn ones. */
final class StartParameters {
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
   * @param given a run, a checkpoint, or a file: an archive of arrays by the names of the blocks,
   *     as {@code amb export} writes it, else the flat vector as NumPy's array
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
      } else {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          copy(file, in, new Block("", Block.Kind.WEIGHT, 0, target.length), target);
        }
      }
    } catch (IOException e) {
      throw new UsageException("--init-from: cannot be read: " + FileFailure.text(e));
    }
  }

  private static void copy(Path file, InputStream in, Block block, float[] target)
      throws IOException {
    NpyArray array = in == null ? null : NpyArray.read(file.toString(), in);
    if (array == null || !Arrays.equals(array.shape(), block.shape())) {
      throw new UsageException(
          "--init-from: expected parameters %s, found %s in %s",
          block, array == null ? "none" : Arrays.toString(array.shape()), file);
    }
    for (int i = 0; i < array.length(); i++) {
      target[block.offset() + i] = (float) array.get(i);
    }
  }
}
