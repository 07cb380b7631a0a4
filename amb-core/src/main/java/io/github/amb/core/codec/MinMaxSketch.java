package io.github.amb.core.codec;

import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.PackedLevels;
import java.util.Arrays;

/**
 * An approximate map from indices to small numbers, in two rows of fewer columns than there are
 * indices. Insertion keeps the minimum of a column. A query returns the maximum of the index's two
 * columns, so the result is never larger than what was inserted.
 *
 * <p>Jiang et al.: "SketchML: Accelerating Distributed Machine Learning with Data Sketches", SIGMOD
 * 2018.
 */
public final class MinMaxSketch {
  private static final int ROWS = 2;
  private static final double COLUMNS_PER_INDEX = 0.3;

  private final PackedLevels levels;
  private final int largest;
  private int[] table = {};
  private int columns;

  /**
   * @param bits width of a number in bits
   */
  public MinMaxSketch(int bits) {
    levels = new PackedLevels(bits);
    largest = (1 << bits) - 1;
  }

  /** Empties the sketch and sizes it for {@code indices} indices. */
  public void clear(int indices) {
    columns = Math.max(1, (int) Math.ceil(COLUMNS_PER_INDEX * indices));
    if (table.length < ROWS * columns) {
      table = new int[ROWS * columns];
    }
    Arrays.fill(table, 0, ROWS * columns, largest);
  }

  public void insert(int index, int number) {
    for (int row = 0; row < ROWS; row++) {
      int at = row * columns + FixedHash.place(index, row, columns);
      table[at] = Math.min(table[at], number);
    }
  }

  public int get(int index) {
    int largest = 0;
    for (int row = 0; row < ROWS; row++) {
      largest = Math.max(largest, table[row * columns + FixedHash.place(index, row, columns)]);
    }
    return largest;
  }

  public void encode(ByteSink out) {
    levels.encode(table, ROWS * columns, out);
  }

  /** Reads a sketch of {@code indices} indices. */
  public void decode(ByteSource in, int indices) {
    clear(indices);
    levels.decode(in, table, ROWS * columns);
  }
}
