package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import java.util.List;

/** Adds the {@code +} additions to a codec, one by one. */
public final class CodingBuilder {
  private static final double MOMENTUM = 0.9;

  private final String text;
  private Codec codec;
  private BlockPolicy policy;
  private WireStage stage = WireStage.NONE;
  private boolean differences;
  private long denseSteps;

  public CodingBuilder(String text, Codec codec) {
    this.text = text;
    this.codec = codec;
    policy = codec.policy();
  }

  public void add(String addition) {
    String[] parts = addition.split("=", 2);
    String value = parts.length == 1 ? "" : parts[1];
    EntryArguments argument = new EntryArguments("codec " + text + ", +" + parts[0], value);
    switch (parts[0]) {
      case "ef" -> codec = new ErrorFeedback(memoryless(addition), decay(argument));
      case "ef21" -> {
        codec = memoryless(addition).contraction();
        differences = true;
      }
      case "after" -> denseSteps = argument.count(1, 1, Integer.MAX_VALUE);
      case "momentum" -> codec = new MomentumCorrection(sparse(addition), momentum(argument));
      case "biases" -> policy = new BlockPolicy(true, policy.minLength());
      case "min" ->
          policy = new BlockPolicy(policy.biases(), argument.count(1, 1, Integer.MAX_VALUE));
      case "zstd" -> stage = WireStage.ZSTD;
      case "lz4" -> stage = WireStage.LZ4;
      default ->
          throw new UsageException(
              "codec %s: unknown addition '%s'%s",
              text,
              addition,
              Suggestion.forName(
                  parts[0],
                  List.of("ef", "ef21", "momentum", "after", "biases", "min", "zstd", "lz4")));
    }
    argument.end("+" + parts[0]);
  }

  private static double decay(EntryArguments argument) {
    return argument.first(1, share -> share > 0 && share <= 1, "a share above 0, up to 1");
  }

  private static double momentum(EntryArguments argument) {
    return argument.first(MOMENTUM, m -> m >= 0 && m < 1, "0 up to below 1");
  }

  private Codec sparse(String addition) {
    if (!(memoryless(addition).open(1) instanceof SparseBlockCodec)) {
      throw new UsageException(
          "codec %s: expected a codec that sends few entries before +%s, found one that sends all, which leaves no momentum; use an update rule that has it",
          text, addition);
    }
    return codec;
  }

  private Codec memoryless(String addition) {
    if (codec.receiver() != codec || differences) {
      throw new UsageException(
          "codec %s: expected no error feedback before +%s, found a codec that has it",
          text, addition);
    }
    if (codec.hook().isPresent() || codec.isStalenessAware()) {
      throw new UsageException(
          "codec %s: expected a codec that does not change the update before +%s, found one that does",
          text, addition);
    }
    if (Double.isInfinite(codec.contraction().errorBound(1))) {
      throw new UsageException(
          "codec %s: expected a codec with a bounded error before +%s, found one without a bound",
          text, addition);
    }
    return codec;
  }

  public Coding build() {
    return new Coding(text, codec, policy, stage, differences, denseSteps);
  }
}
