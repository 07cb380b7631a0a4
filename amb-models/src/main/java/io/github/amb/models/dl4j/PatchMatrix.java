package io.github.amb.models.dl4j;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;

/**
 * The patches of an image under a square kernel with stride 1, padded with zeros to the size of the
 * image: a row for each channel and place in the kernel, a column for each pixel.
 */
final class PatchMatrix {
  private final int channels;
  private final int height;
  private final int width;
  private final int kernel;
  private final float[] image;
  private final float[] values;
  private final FloatPointer matrix;
  private final FloatPointer ones;

  PatchMatrix(int channels, int height, int width, int kernel) {
    this.channels = channels;
    this.height = height;
    this.width = width;
    this.kernel = kernel;
    this.image = new float[channels * height * width];
    this.values = new float[patchSize() * pixels()];
    this.matrix = new FloatPointer(values.length);
    float[] one = new float[pixels()];
    Arrays.fill(one, 1f);
    this.ones = new FloatPointer(one);
  }

  /** Number of rows. */
  int patchSize() {
    return channels * kernel * kernel;
  }

  /** Number of columns. */
  int pixels() {
    return height * width;
  }

  /** A vector of ones, as long as a row. */
  FloatPointer ones() {
    return ones;
  }

  /**
   * The patches of one image, row-major; valid until the next call.
   *
   * @param images images one after the other, channels first
   */
  FloatPointer of(FloatPointer images, int index) {
    images.position((long) index * image.length).get(image, 0, image.length);
    int row = 0;
    for (int channel = 0; channel < channels; channel++) {
      for (int y = 0; y < kernel; y++) {
        for (int x = 0; x < kernel; x++) {
          shift(channel, y - (kernel - 1) / 2, x - (kernel - 1) / 2, row++);
        }
      }
    }
    return matrix.put(values, 0, values.length);
  }

  /** Writes a channel shifted by (−dy, −dx); what has no source stays zero. */
  private void shift(int channel, int dy, int dx, int row) {
    int length = width - Math.abs(dx);
    int top = Math.max(0, -dy);
    int bottom = Math.min(height, height - dy);
    int left = Math.max(0, -dx);
    for (int y = top; y < bottom; y++) {
      int source = (channel * height + y + dy) * width + left + dx;
      System.arraycopy(image, source, values, (row * height + y) * width + left, length);
    }
  }
}
