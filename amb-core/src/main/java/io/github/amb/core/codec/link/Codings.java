package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Estimate;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateHook;
import java.util.ArrayList;
import java.util.List;

/**
 * The codecs of both directions.
 *
 * @param uplink encodes gradients and deltas, from workers to the master
 * @param downlink encodes parameters, from the master to workers, as differences from the worker's
 *     copy, by its codec's {@link Codec#contraction}: a difference has what messages before lacked
 * @param peers encodes what workers send to each other, in the same way
 */
public record Codings(Coding uplink, Coding downlink, Coding peers) {
  /** No codec in any direction. */
  public static final Codings NONE = new Codings(Coding.NONE, Coding.NONE);

  /**
   * Codecs between workers and the master.
   *
   * @throws UsageException if {@code downlink} cannot encode parameters
   */
  public Codings(Coding uplink, Coding downlink) {
    this(uplink, ofDifferences("--downlink-codec", downlink, 1), Coding.NONE);
  }

  /**
   * @param messages of one step
   */
  private static Coding ofDifferences(String option, Coding coding, int messages) {
    Codec codec = coding.codec();
    if (codec.receiver() != codec || coding.differences()) {
      throw new UsageException(
          "%s %s: expected one without error feedback, found %s; each message already has what the ones before lacked",
          option, coding.text(), coding.text());
    }
    if (codec.hook().isPresent() || codec.isStalenessAware()) {
      throw new UsageException(
          "%s %s: expected a codec of parameters, found one of gradients alone",
          option, coding.text());
    }
    Codec contraction = codec.contraction();
    if (Double.isInfinite(contraction.errorBound(1))) {
      throw new UsageException(
          "%s %s: expected a codec with a bounded error, found one without a bound",
          option, coding.text());
    }
    return new Coding(
        coding.text(),
        contraction,
        coding.policy(),
        coding.stage(),
        false,
        coding.denseSteps() * messages);
  }

  /**
   * These codecs where workers send {@code uplink}: with {@link Uplink#CONSENSUS} the codec of the
   * uplink is that of what they send to each other.
   *
   * @throws UsageException if it cannot encode differences
   */
  public Codings where(Uplink uplink) {
    return uplink == Uplink.CONSENSUS && !this.uplink.isNone()
        ? new Codings(
            Coding.NONE, downlink, ofDifferences("--codec", this.uplink, Estimate.MAX_ROUNDS))
        : this;
  }

  /**
   * These codecs where a message has fragments of a vector alone.
   *
   * @param count 1 for whole vectors
   */
  public Codings inFragments(int count) {
    return count == 1
        ? this
        : new Codings(uplink.inFragments(count), downlink.inFragments(count), peers);
  }

  /**
   * Lists the conflicts between these codecs and a scheme.
   *
   * @param scheme the scheme's name, as the user typed it
   * @param uplink what the scheme's workers send
   * @param exactParameters whether the master corrects gradients with the very parameters that a
   *     worker was sent
   * @return one line per conflict; empty if there is none
   */
  public List<String> problems(String scheme, Uplink uplink, boolean exactParameters) {
    List<String> problems = new ArrayList<>();
    if (uplink.isObserved()) {
      return observedProblems(scheme, uplink);
    }
    if (!this.uplink.codec().carries(uplink)) {
      problems.add(
          switch (uplink) {
            case COMBINATIONS, CORRECTING_CHANGES ->
                "--codec %s: expected a lossless codec, as the master of scheme %s multiplies results"
                        .formatted(this.uplink.text(), scheme)
                    + " by large weights, found a lossy one; use none+zstd";
            default ->
                "--codec %s: expected a codec that keeps magnitudes, as workers of scheme %s send changes"
                        .formatted(this.uplink.text(), scheme)
                    + " of parameters, found one that sends only signs; use ef-sign";
          });
    }
    Codec sent = this.uplink.codec();
    if (exactParameters && (sent.hook().isPresent() || sent.isStalenessAware())) {
      problems.add(
          "--codec %s: expected a codec that leaves gradients as they are in the mean, as scheme %s corrects them before the codec's part of the update, found one that %s; use none"
              .formatted(
                  this.uplink.text(),
                  scheme,
                  sent.hook().isPresent() ? "sends only signs" : "divides by staleness"));
    }
    if (exactParameters && downlink.codec() != Plain.INSTANCE) {
      problems.add(
          "--downlink-codec %s: expected a lossless codec, as scheme %s corrects with the parameters"
                  .formatted(downlink.text(), scheme)
              + " that a worker was sent, found a lossy one; use none");
    }
    return problems;
  }

  private List<String> observedProblems(String scheme, Uplink uplink) {
    List<String> problems = new ArrayList<>();
    try {
      where(uplink);
    } catch (UsageException e) {
      problems.add(e.getMessage());
    }
    if (uplink == Uplink.PAIRS && !this.uplink.codec().carries(uplink)) {
      problems.add(
          "--codec %s: expected a lossless codec, as workers of scheme %s send each other whole vectors, found a lossy one; use none"
              .formatted(this.uplink.text(), scheme));
    }
    if (!downlink.isNone()) {
      problems.add(
          "--downlink-codec %s: expected none with scheme %s, whose workers are sent no parameters; leave it out"
              .formatted(downlink.text(), scheme));
    }
    return problems;
  }

  /** Whether no direction is encoded. */
  public boolean isNone() {
    return uplink.isNone() && downlink.isNone() && peers.isNone();
  }

  /**
   * The uplink codec's part in the master's update; null for none.
   *
   * @param layout of the vectors
   */
  public UpdateHook hook(Layout layout) {
    return uplink.codec().isStalenessAware()
        ? new Staleness(layout)
        : uplink.codec().hook().map(this::afterWarmUp).orElse(null);
  }

  /** The hook, from the first step on whose messages are encoded. */
  private UpdateHook afterWarmUp(UpdateHook hook) {
    return new UpdateHook() {
      private boolean active;

      @Override
      public void begin(long step, int[] ranks, int count) {
        active = step > uplink.denseSteps();
        hook.begin(step, ranks, count);
      }

      @Override
      public void change(float[] mean, int length) {
        if (active) {
          hook.change(mean, length);
        }
      }
    };
  }

  /**
   * Wraps the master's communicator so that it encodes and decodes.
   *
   * @param engine transmits the messages
   * @param clock charged for encoding and decoding
   * @param update the master's update, with {@link #hook}; also has the layout
   * @param streams the run's random streams
   * @param state registry of the state that checkpoints save
   */
  public Communicator master(
      Communicator engine, Clock clock, MasterUpdate update, Streams streams, StateRegistry state) {
    return isNone() ? engine : new MasterCodecs(engine, clock, this, update, streams, state);
  }

  /**
   * Wraps a worker's communicator so that it encodes and decodes.
   *
   * @param engine transmits the messages
   * @param clock charged for encoding and decoding
   * @param layout of the vectors
   * @param streams the run's random streams
   * @param state registry of the state that checkpoints save
   */
  public Communicator worker(
      Communicator engine, Clock clock, Layout layout, Streams streams, StateRegistry state) {
    return isNone() ? engine : new WorkerCodecs(engine, clock, this, layout, streams, state);
  }
}
