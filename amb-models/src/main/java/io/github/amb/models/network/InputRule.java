package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import java.util.Optional;

/** The examples for which a network can be built. */
public sealed interface InputRule {
  /**
   * The input shape of the network for examples of a shape, which are scaled to it. Empty if they
   * do not fit.
   */
  Optional<ImageShape> inputFor(ImageShape examples);

  /** The expected examples, in words. */
  String expected();

  /** One shape only. */
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

  /** Images with any number of channels, at least {@code side} pixels high and wide. */
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

  /** Sequences of at most {@code context} tokens. */
  record Tokens(int context) implements InputRule {
    @Override
    public Optional<ImageShape> inputFor(ImageShape examples) {
      boolean sequence = examples.channels() == 1 && examples.height() == 1;
      return sequence && examples.width() <= context ? Optional.of(examples) : Optional.empty();
    }

    @Override
    public String expected() {
      return "text in windows of 1x1x1 to 1x1x" + context;
    }
  }

  /** Images with any number of channels and any size, scaled to a square of {@code side} pixels. */
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
