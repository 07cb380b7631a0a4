package io.github.amb.models.data;

import io.github.amb.core.random.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Generated digits for trying things out without a download: pen strokes of random slant, size,
 * place, thickness and wobble, with noise. The same bytes on every machine, whatever the seed.
 *
 * <p>Hard enough that a linear model stays below 90 % while a convolutional network exceeds 97 %.
 */
final class Digits implements DataSetDefinition {
  private static final int SIDE = 28;
  private static final ImageShape SHAPE = new ImageShape(1, SIDE, SIDE);
  private static final int CLASSES = 10;
  private static final int TRAIN = 10_000;
  private static final int TEST = 2_000;
  private static final long SEED = 0x0123456789L;

  /** Of all labels and pixels, example by example: under what name they are kept. */
  static final String SHA256 = "4b157d1cb0a1d9998c366a37df50bf1215692f03b51ffac39a62cac3dd893a2a";

  /** Largest rotation, radians; 0.35 is 20 degrees. */
  private static final double ROTATION = 0.35;

  private static final double SHEAR = 0.3;

  /** Smallest and largest height and width of a digit, pixels. */
  private static final double SMALLEST = 14;

  private static final double LARGEST = 22;

  /** Largest shift of a digit's center, pixels. */
  private static final double SHIFT = 3;

  /** Largest wobble of a stroke's corner, in digit heights. */
  private static final double WOBBLE = 0.06;

  private static final double THINNEST = 0.7;
  private static final double THICKEST = 1.9;

  /** Largest change of a pixel by noise, of 1. */
  private static final double NOISE = 0.4;

  @Override
  public String name() {
    return "digits";
  }

  @Override
  public int trainingExamples() {
    return TRAIN;
  }

  @Override
  public int testExamples() {
    return TEST;
  }

  @Override
  public String summary() {
    return "generated: distorted pen-stroke digits, 10,000 + 2,000 images 1x28x28";
  }

  @Override
  public DataSet load(Path directory, long seed) {
    try {
      return DecodedSet.once(name(), name(), SHA256, Digits::generate);
    } catch (IOException e) {
      throw new UncheckedIOException("generating reads nothing", e);
    }
  }

  static DecodedSet generate() {
    Streams streams = new Streams(SEED);
    return new DecodedSet(
        SHAPE,
        CLASSES,
        examples(streams.stream("digits-train", 0, 0), TRAIN),
        examples(streams.stream("digits-test", 0, 0), TEST));
  }

  private static StoredExamples examples(UniformRandomProvider random, int count) {
    byte[] pixels = new byte[count * SHAPE.size()];
    byte[] labels = new byte[count];
    StrokeCanvas canvas = new StrokeCanvas(SIDE);
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) random.nextInt(CLASSES);
      canvas.clear();
      draw(canvas, labels[i], random);
      develop(canvas, random, pixels, i * SHAPE.size());
    }
    return new ByteExamples(pixels, labels);
  }

  private static void draw(StrokeCanvas canvas, int digit, UniformRandomProvider random) {
    double[] affine = affine(random);
    double radius = between(random, THINNEST, THICKEST);
    for (double[] stroke : Glyphs.strokes(digit)) {
      double x = 0;
      double y = 0;
      for (int i = 0; i < stroke.length; i += 2) {
        double u = stroke[i] - 0.5 + between(random, -WOBBLE, WOBBLE);
        double v = stroke[i + 1] - 0.5 + between(random, -WOBBLE, WOBBLE);
        double nextX = affine[0] * u + affine[1] * v + affine[2];
        double nextY = affine[3] * u + affine[4] * v + affine[5];
        if (i > 0) {
          canvas.segment(x, y, nextX, nextY, radius);
        }
        x = nextX;
        y = nextY;
      }
    }
  }

  /** Shear, then scale, then rotation, then shift: two rows of a 2x3 matrix. */
  private static double[] affine(UniformRandomProvider random) {
    double angle = between(random, -ROTATION, ROTATION);
    double shear = between(random, -SHEAR, SHEAR);
    double width = between(random, SMALLEST, LARGEST);
    double height = between(random, SMALLEST, LARGEST);
    double center = (SIDE - 1) / 2.0;
    double cos = StrictMath.cos(angle);
    double sin = StrictMath.sin(angle);
    return new double[] {
      cos * width,
      cos * width * shear - sin * height,
      center + between(random, -SHIFT, SHIFT),
      sin * width,
      sin * width * shear + cos * height,
      center + between(random, -SHIFT, SHIFT)
    };
  }

  private static void develop(
      StrokeCanvas canvas, UniformRandomProvider random, byte[] pixels, int start) {
    for (int i = 0; i < SHAPE.size(); i++) {
      double value = canvas.ink(i) + between(random, -NOISE, NOISE);
      pixels[start + i] = (byte) (int) (255 * Math.min(1, Math.max(0, value)) + 0.5);
    }
  }

  private static double between(UniformRandomProvider random, double low, double high) {
    return low + (high - low) * random.nextDouble();
  }
}
