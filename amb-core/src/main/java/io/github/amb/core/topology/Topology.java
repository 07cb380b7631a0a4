package io.github.amb.core.topology;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.scheme.Scheme;
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
    return link.rank() == Communicator.MASTER ? new SlicedMaster(link) : new SlicedWorker(link);
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
    if (!uplink.isNone()) {
      problems.add(
          "--topology %s: expected no --codec, as workers add slices of gradients and an encoded block cannot be cut into slices, found %s; --downlink-codec is possible"
              .formatted(this, uplink.text()));
    }
    return problems;
  }
}
