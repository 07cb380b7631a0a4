package io.github.amb.models.data;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Random changes of training images: each is shifted by up to {@value #SHIFT} pixels in both
 * directions, with zeros as padding, and mirrored with probability ½ (He et al.: "Deep Residual
 * Learning for Image Recognition", 2016, section 4.2).
 *
 * @param crop whether images are shifted
 * @param flip whether images are mirrored, left to right
 */
public record Augmentation(boolean crop, boolean flip) {
  /** No change. */
  public static final Augmentation NONE = new Augmentation(false, false);

  private static final int SHIFT = 4;
  private static final List<String> NAMES = List.of("none", "crop", "flip", "crop,flip");

  /** The names, as users type them. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Returns the augmentation with a name.
   *
   * @throws UsageException if there is none
   */
  public static Augmentation named(String name) {
    Suggestion.expectKnown("unknown augmentation", name, NAMES);
    return new Augmentation(name.contains("crop"), name.contains("flip"));
  }

  /**
   * Returns a data set whose training images are changed each time they are drawn, or {@code data}
   * itself if there is nothing to change.
   *
   * @throws UsageException if its examples are not images of more than {@value #SHIFT} pixels
   */
  public DataSet of(DataSet data) {
    if (equals(NONE)) {
      return data;
    }
    ImageShape shape = data.shape();
    if (Math.min(shape.height(), shape.width()) <= SHIFT) {
      throw new UsageException(
          "--augment: expected images higher and wider than %d, found examples of %s in data set '%s'",
          SHIFT, shape, data.name());
    }
    ThreadLocal<float[]> originals = ThreadLocal.withInitial(() -> new float[shape.size()]);
    var train = new Augmented(this, data.train(), shape, originals);
    return data.with(shape, train, data.test());
  }

  /** Changes an image in place; {@code original} is a copy of it. */
  private void change(
      float[] image, float[] original, ImageShape shape, UniformRandomProvider random) {
    int down = crop ? random.nextInt(2 * SHIFT + 1) - SHIFT : 0;
    int right = crop ? random.nextInt(2 * SHIFT + 1) - SHIFT : 0;
    boolean mirrored = flip && random.nextBoolean();
    int pixel = 0;
    for (int channel = 0; channel < shape.channels(); channel++) {
      for (int y = 0; y < shape.height(); y++) {
        int row = y + down;
        boolean inside = row >= 0 && row < shape.height();
        int start = (channel * shape.height() + row) * shape.width();
        for (int x = 0; x < shape.width(); x++) {
          int column = (mirrored ? shape.width() - 1 - x : x) + right;
          boolean filled = inside && column >= 0 && column < shape.width();
          image[pixel++] = filled ? original[start + column] : 0f;
        }
      }
    }
  }

  /** Examples that are changed when they are drawn. */
  private record Augmented(
      Augmentation augmentation,
      Examples examples,
      ImageShape shape,
      ThreadLocal<float[]> originals)
      implements DerivedExamples {

    @Override
    public void drawFeatures(int example, UniformRandomProvider random, float[] target) {
      float[] original = originals.get();
      examples.copyFeatures(example, original);
      augmentation.change(target, original, shape, random);
    }
  }
}
