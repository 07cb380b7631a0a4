package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import java.util.Optional;

/** Which examples a network can be built for. */
public sealed interface InputRule {
  /**
   * The shape that a network is built for if examples have the given one; they are scaled to it.
   * Empty if they do not fit.
   */
  Optional<ImageShape> inputFor(ImageShape examples);

  /** What is expected, in words. */
  String expected();

  /** One shape and no other. */
  record Exactly(ImageShape shape) implements InputRule {
    @Override
    public Optional<ImageShape> inputFor(ImageShape examples) {
      return examples.equals(shape) ? Optional.of(shape) : Optional.empty();
    }

    @Override
    public String expected() {
      return "examples of " + shape;
    }
  }

  /** Images of any number of channels, at least so many pixels high and wide. */
  record AtLeast(int side) implements InputRule {
    @Override
    public Optional<ImageShape> inputFor(ImageShape examples) {
      boolean fits = Math.min(examples.height(), examples.width()) >= side;
      return fits ? Optional.of(examples) : Optional.empty();
    }

    @Override
    public String expected() {
      return "images of at least %sx%s".formatted(side, side);
    }
  }

  /** Images of any number of channels and any size, which are scaled to a square. */
  record ScaledTo(int side) implements InputRule {
    @Override
    public Optional<ImageShape> inputFor(ImageShape examples) {
      return Optional.of(new ImageShape(examples.channels(), side, side));
    }

    @Override
    public String expected() {
      return "images, which are scaled to %sx%s".formatted(side, side);
    }
  }
}
