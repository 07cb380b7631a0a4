package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.random.Streams;
import java.util.Optional;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A codec with all user options.
 *
 * @param text what the user typed; both ends of a connection must have the same
 * @param codec the codec, with error feedback if requested
 * @param policy the blocks that it encodes
 * @param stage a general compressor that is applied to the encoded blocks
 * @param differences whether the codec encodes what changed since the sender's last message, as in
 *     EF21: both ends keep the sum of what was sent, g, and a message is C(x − g)
 * @param denseSteps messages up to this step have 32 bits per entry
 * @param fragments number of {@link Fragments}, of which a message has those whose turn it is
 */
public record Coding(
    String text,
    Codec codec,
    BlockPolicy policy,
    WireStage stage,
    boolean differences,
    long denseSteps,
    int fragments) {
  /** Vectors are sent in 32 bits per entry, as the engine's payload, without a header. */
  public static final Coding NONE =
      new Coding("none", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE, false, 0);

  /** Vectors in 32 bits per entry, as messages with a header: an encoder's first message. */
  public static final Coding PLAIN =
      new Coding("plain", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE, false, 0);

  /** A codec of whole vectors. */
  public Coding(
      String text,
      Codec codec,
      BlockPolicy policy,
      WireStage stage,
      boolean differences,
      long denseSteps) {
    this(text, codec, policy, stage, differences, denseSteps, 1);
  }

  /** The same codec, of which a message has fragments of a vector alone. */
  public Coding inFragments(int count) {
    return new Coding(text, codec, policy, stage, differences, denseSteps, count);
  }

  /** Whether vectors are sent as the engine's payload, without a header. */
  public boolean isNone() {
    return equals(NONE);
  }

  /**
   * Whether parts of a vector may be encoded one by one, each for another receiver that forgets it.
   */
  public boolean worksOnParts() {
    return !differences && !codec.isStalenessAware() && !codec.needsShape();
  }

  /**
   * Number of entries of a message that the codec encodes, on average; the others take 32 bits
   * each.
   */
  public int encodedEntries(Layout layout) {
    int all = layout.blocks().stream().filter(policy::encodes).mapToInt(Block::length).sum();
    return all / fragments;
  }

  /**
   * Describes the block that this codec enlarges most, if there is one. The size is that of a
   * message of normally distributed entries, without {@link #stage}.
   *
   * @param streams the run's random streams
   */
  public Optional<String> enlarged(Layout layout, Streams streams) {
    if (isNone()) {
      return Optional.empty();
    }
    String largest = null;
    int growth = 0;
    for (Block block : layout.blocks()) {
      int bytes = policy.encodes(block) ? bytes(block, streams) : 0;
      int plain = Float.BYTES * block.length();
      if (bytes - plain > growth) {
        growth = bytes - plain;
        largest =
            "codec %s makes a message longer: block %s takes %d bytes, and %d without a codec"
                .formatted(text, block.name(), bytes, plain);
      }
    }
    return Optional.ofNullable(largest);
  }

  /**
   * Bytes of a message of normally distributed entries over those of their floats, without {@link
   * #stage}.
   *
   * @param length number of entries, which are one block
   * @param streams the run's random streams
   */
  public double share(int length, Streams streams) {
    Block block = new Block("vector", Block.Kind.WEIGHT, 0, length);
    return !isNone() && policy.encodes(block)
        ? (double) bytes(block, streams) / Float.BYTES / length
        : 1;
  }

  private int bytes(Block block, Streams streams) {
    var normal = ZigguratSampler.NormalizedGaussian.of(streams.stream("codec probe", 0, 0));
    float[] values = new float[block.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) normal.sample();
    }
    CodecRandom draws = new CodecRandom(streams, "probe", 0);
    draws.message(1);
    draws.block(block.name());
    ByteSink out = new ByteSink();
    codec.open(block.shape()).encode(values, 0, draws, out);
    return out.length();
  }
}
