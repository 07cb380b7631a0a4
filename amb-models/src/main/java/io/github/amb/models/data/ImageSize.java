package io.github.amb.models.data;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;

/**
 * A height and a width in pixels, to which images can be scaled.
 *
 * <p>A pixel of the scaled image is a mean of the pixels around its place, whose weight falls
 * linearly with their distance, in both directions. The distance at which it is 0 is one pixel of
 * the larger grid. So a smaller image has no artifacts of pixels that were skipped.
 *
 * @param height rows
 * @param width columns
 */
record ImageSize(int height, int width) {
  /**
   * @throws UsageException if there are no pixels, or too many
   */
  ImageSize {
    if (height < 1 || width < 1 || (long) height * width > DataLimits.IMAGE_PIXELS) {
      throw new UsageException(
          "image size: expected HEIGHTxWIDTH of 1 to %d pixels, found %dx%d",
          DataLimits.IMAGE_PIXELS, height, width);
    }
  }

  /**
   * Scales one plane of an image to this size.
   *
   * @param plane unsigned, row by row; not modified
   * @param from its size
   * @return unsigned, row by row, rounded to the nearest value
   */
  byte[] scale(byte[] plane, ImageSize from) {
    if (from.equals(this)) {
      return plane;
    }
    float[] narrow = new float[from.height * width];
    for (int x = 0; x < width; x++) {
      Weights weights = Weights.of(x, from.width, width);
      for (int y = 0; y < from.height; y++) {
        double sum = 0;
        for (int i = 0; i < weights.values.length; i++) {
          sum += weights.values[i] * (plane[y * from.width + weights.first + i] & 0xff);
        }
        narrow[y * width + x] = (float) sum;
      }
    }
    byte[] scaled = new byte[height * width];
    for (int y = 0; y < height; y++) {
      Weights weights = Weights.of(y, from.height, height);
      for (int x = 0; x < width; x++) {
        double sum = 0;
        for (int i = 0; i < weights.values.length; i++) {
          sum += weights.values[i] * narrow[(weights.first + i) * width + x];
        }
        scaled[y * width + x] = (byte) Math.round(sum);
      }
    }
    return scaled;
  }

  /** The weights of old positions for a new one, from the first one that counts; their sum is 1. */
  private record Weights(int first, double[] values) {
    static Weights of(int position, int from, int to) {
      double step = (double) from / to;
      double center = (position + 0.5) * step;
      double reach = Math.max(1, step);
      int first = Math.max(0, (int) Math.ceil(center - reach - 0.5));
      int last = Math.min(from - 1, (int) Math.floor(center + reach - 0.5));
      double[] values = new double[last - first + 1];
      double sum = 0;
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.max(0, 1 - Math.abs(first + i + 0.5 - center) / reach);
        sum += values[i];
      }
      for (int i = 0; i < values.length; i++) {
        values[i] /= sum;
      }
      return new Weights(first, values);
    }
  }

  @Override
  public String toString() {
    return height + "x" + width;
  }
}
