package io.github.amb.runtime.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code manifest.json} of a checkpoint.
 *
 * @param format version of a checkpoint's format, {@link #FORMAT} when written by this program
 * @param step updates applied to the parameters
 * @param seconds since training started
 * @param accuracy of these parameters on test examples, 0 to 1; null if they have not been tested
 * @param loss mean loss of these parameters on test examples; null if they have not been tested, or
 *     by an older program
 * @param run identity of the run, which a resumed run must share, by name; null if written by an
 *     older program
 * @param blocks blocks of the flat parameter vector, in order and without gaps
 * @param files every other file of the checkpoint, by name
 */
public record Manifest(
    int format,
    long step,
    double seconds,
    Double accuracy,
    Double loss,
    Map<String, String> run,
    List<NamedBlock> blocks,
    Map<String, FileSum> files) {
  /** Version of a checkpoint's format that this program writes. */
  public static final int FORMAT = 2;

  /** Name of the file. */
  static final String NAME = "manifest.json";

  /** Names of checkpoints' directories, with their step. */
  private static final Pattern NUMBERED = Pattern.compile("(?:step|best)-(\\d{9,18})");

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  /**
   * A block without its offset, which follows from the blocks before it.
   *
   * @param name layer and parameter
   * @param kind how the master treats it
   * @param shape its dimensions
   */
  public record NamedBlock(String name, Block.Kind kind, int[] shape) {}

  /**
   * Length and checksum of a file.
   *
   * @param bytes its length
   * @param sha256 its checksum in hexadecimal digits
   */
  public record FileSum(long bytes, String sha256) {}

  static List<NamedBlock> blocks(Layout layout) {
    return layout.blocks().stream()
        .map(block -> new NamedBlock(block.name(), block.kind(), block.shape()))
        .toList();
  }

  /**
   * Checks that nothing is missing, and that the checkpoint's name has its step.
   *
   * @param file where this was read
   * @throws DamagedException if a check fails; the message has the file, what was expected and what
   *     was found
   */
  void check(Path file) throws DamagedException {
    Matcher name = NUMBERED.matcher(file.getParent().getFileName().toString());
    if (name.matches() && Long.parseLong(name.group(1)) != step) {
      throw new DamagedException(
          "%s: expected step %d, as its directory says, found %d"
              .formatted(file, Long.parseLong(name.group(1)), step));
    }
    if (files == null || files.get(Checkpoint.PARAMETERS) == null) {
      throw new DamagedException(
          "%s: expected %s among its files, found %s"
              .formatted(file, Checkpoint.PARAMETERS, files == null ? "none" : files.keySet()));
    }
    for (Map.Entry<String, FileSum> each : files.entrySet()) {
      if (!each.getKey().matches("[\\w.-]+") || each.getValue() == null) {
        throw new DamagedException(
            "%s: expected names of files with length and checksum, found %s".formatted(file, each));
      }
    }
    try {
      layout();
    } catch (RuntimeException e) {
      throw new DamagedException(
          "%s: expected blocks with names, kinds and shapes, found %s".formatted(file, blocks), e);
    }
  }

  /** {@link EvaluationRecord#merit} of these parameters; −∞ if they have not been tested. */
  double merit() {
    return accuracy != null ? accuracy : loss != null ? -loss : Double.NEGATIVE_INFINITY;
  }

  /** The layout of the parameter vector, with the blocks' offsets. */
  public Layout layout() {
    List<Block> all = new ArrayList<>();
    int offset = 0;
    for (NamedBlock block : blocks) {
      all.add(new Block(block.name(), block.kind(), offset, block.shape()));
      offset = all.get(all.size() - 1).end();
    }
    return new Layout(all);
  }
}
