package io.github.amb.runtime.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code manifest.json} of a checkpoint.
 *
 * @param format version of a checkpoint's format, {@link #FORMAT} when written by this program
 * @param step updates applied to the parameters
 * @param seconds since training started
 * @param accuracy of these parameters on test examples, 0 to 1; null if they have not been tested
 * @param blocks blocks of the flat parameter vector, in order and without gaps
 * @param files every other file of the checkpoint, by name
 */
public record Manifest(
    int format,
    long step,
    double seconds,
    Double accuracy,
    List<NamedBlock> blocks,
    Map<String, FileSum> files) {
  /** Version of a checkpoint's format that this program writes. */
  public static final int FORMAT = 1;

  /** Name of the file. */
  static final String NAME = "manifest.json";

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  /**
   * A block without its place, which follows from those before it.
   *
   * @param name layer and parameter
   * @param kind how the master treats it
   * @param shape its dimensions
   */
  public record NamedBlock(String name, Block.Kind kind, int[] shape) {}

  /**
   * What a file must be.
   *
   * @param bytes its length
   * @param sha256 its checksum in hexadecimal
   */
  public record FileSum(long bytes, String sha256) {}

  static List<NamedBlock> blocks(Layout layout) {
    return layout.blocks().stream()
        .map(block -> new NamedBlock(block.name(), block.kind(), block.shape()))
        .toList();
  }

  /** The blocks with their places. */
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
