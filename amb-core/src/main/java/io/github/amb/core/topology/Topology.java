package io.github.amb.core.topology;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The way of vectors between the master and its workers. */
public enum Topology {
  /** Each vector goes from the master to each worker, and from each worker to the master. */
  STAR,
  /**
   * Workers exchange slices of vectors: each adds up one slice of all gradients, and passes on one
   * slice of the parameters. So no link carries more than about two vectors per step.
   */
  SLICED;

  private static final int MIN_RANKS = 3;

  /** The names of all. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Topology::toString).toList();
  }

  /** The topology of a name, which is one of {@link #names}. */
  public static Topology named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Puts this topology between a rank and its engine. With fewer than two workers all are the same.
   *
   * @param link of one generation, all ranks of which must do the same
   */
  public Communicator over(Communicator link) {
    if (this == STAR || link.size() < MIN_RANKS) {
      return link;
    }
    return link.rank() == Communicator.MASTER
        ? new SlicedMaster(link)
        : new SlicedWorker(link, null);
  }

  /**
   * Puts codecs and this topology between the master and its engine.
   *
   * @param link of one generation, all ranks of which must do the same
   * @param codings of all ranks; the other parameters are those of {@link Codings#master}
   */
  @SuppressWarnings("exports") // For this program's own modules.
  public Communicator master(
      Communicator link,
      Codings codings,
      Clock clock,
      MasterUpdate update,
      Streams streams,
      StateRegistry state) {
    return above(link, codings, update.layout()).master(over(link), clock, update, streams, state);
  }

  /**
   * Puts codecs and this topology between a worker and its engine.
   *
   * @param link of one generation, all ranks of which must do the same
   * @param codings of all ranks; the other parameters are those of {@link Codings#worker}
   */
  @SuppressWarnings("exports") // For this program's own modules.
  public Communicator worker(
      Communicator link,
      Codings codings,
      Clock clock,
      Layout layout,
      Streams streams,
      StateRegistry state) {
    Codings above = above(link, codings, layout);
    if (above == codings) {
      return codings.worker(over(link), clock, layout, streams, state);
    }
    int workers = link.size() - 1;
    SliceCodecs codecs =
        new SliceCodecs(layout, workers, codings.uplink(), streams, clock, link.rank());
    state.register(SliceCodecs.LINK, codecs);
    return above.worker(new SlicedWorker(link, codecs), clock, layout, streams, state);
  }

  /** The codings of whole vectors: gradients in slices are encoded below. */
  private Codings above(Communicator link, Codings codings, Layout layout) {
    boolean cuts =
        this == SLICED
            && link.size() >= MIN_RANKS
            && !codings.uplink().isNone()
            && Slices.cuts(layout.size(), link.size() - 1);
    return cuts ? new Codings(Coding.NONE, codings.downlink(), codings.peers()) : codings;
  }

  /**
   * Lists the conflicts between this topology and a run.
   *
   * @param name of the scheme, as the user typed it
   * @param uplink encodes the gradients
   * @return one line per conflict; empty if there is none
   */
  public List<String> problems(String name, Scheme scheme, Coding uplink) {
    List<String> problems = new ArrayList<>();
    if (this == STAR) {
      return problems;
    }
    if (!scheme.sumsGradients()) {
      problems.add(
          "--topology %s: expected a scheme whose steps use the sum of one gradient of every worker, as fmb and amb do, found %s"
              .formatted(this, name));
    }
    if (!uplink.worksOnParts()) {
      problems.add(
          "--topology %s: expected a --codec that works on slices of a gradient, found %s, which needs whole blocks, or the master to know each gradient; use topk+ef or int8"
              .formatted(this, uplink.text()));
    }
    return problems;
  }
}
