package io.github.amb.runtime.control;

import java.util.List;

/** What a rank reports to its launcher. */
public sealed interface RankReport extends ControlRecord {
  /** One sentence for the rank's log, without its subject, which is the rank; empty for none. */
  default String describe() {
    return "";
  }

  /**
   * The rank's process has started.
   *
   * @param pid the number of the process on its host
   */
  record Started(long pid) implements RankReport {}

  /** A replacement has loaded all that it needs and may join. */
  record Ready() implements RankReport {
    @Override
    public String describe() {
      return "ready to join";
    }
  }

  /** The first step begins. Only the master reports it. */
  record Training() implements RankReport {
    @Override
    public String describe() {
      return "training begins";
    }
  }

  /**
   * How far training is. Only the master reports it, ten times a second at most.
   *
   * @param line one line of JSON
   */
  record Progress(String line) implements RankReport {}

  /** No step follows. Only the master reports it, before its last messages to the workers. */
  record Over() implements RankReport {
    @Override
    public String describe() {
      return "training is complete";
    }
  }

  /**
   * The rank is about to connect to all others of a generation.
   *
   * @param generation number of the generation, 1 for the first
   */
  record Connecting(int generation) implements RankReport {
    @Override
    public String describe() {
      return "connecting to the other ranks of generation " + generation;
    }
  }

  /**
   * The rank listens for the others of a generation.
   *
   * @param generation number of the generation
   * @param readPort port for connections that the rank reads from
   * @param writePort port for connections that the rank writes to
   */
  record Listening(int generation, int readPort, int writePort) implements RankReport {}

  /**
   * The rank is connected to all others of a generation.
   *
   * @param generation number of the generation
   */
  record Connected(int generation) implements RankReport {
    @Override
    public String describe() {
      return "connected to all ranks of generation " + generation;
    }
  }

  /**
   * The rank has rejected connections that had not proven which rank they are.
   *
   * @param generation number of the generation
   * @param formed whether all ranks of the generation were connected by then; otherwise one of them
   *     may be among the rejected
   * @param addresses as {@code host:port}; copied
   */
  record Rejected(int generation, boolean formed, List<String> addresses) implements RankReport {
    public Rejected {
      addresses = List.copyOf(addresses);
    }

    @Override
    public String describe() {
      return "rejected connections that were not authenticated: " + String.join(", ", addresses);
    }
  }

  /**
   * A rank has sent the master a malformed message.
   *
   * @param generation number of the generation
   * @param rank the sender's number in the run
   * @param reason why the message is malformed
   */
  record Malformed(int generation, int rank, String reason) implements RankReport {
    @Override
    public String describe() {
      return "malformed message from rank %s: %s".formatted(rank, reason);
    }
  }

  /**
   * The rank's generation has ended, and the rank waits for an order.
   *
   * @param generation number of the generation
   */
  record Lost(int generation) implements RankReport {
    @Override
    public String describe() {
      return "generation " + generation + " has ended; waiting for the launcher's order";
    }
  }

  /**
   * The rank fails, and its process is about to end.
   *
   * @param own whether the cause is in this rank; false if another rank's failure is the cause
   * @param cause one line
   */
  record Failed(boolean own, String cause) implements RankReport {
    @Override
    public String describe() {
      return cause;
    }
  }

  /**
   * The rank was asked to end, as by SIGTERM. It trains on until it may leave.
   *
   * @param generation number of its generation
   * @param results how many results of this generation it has sent, with one that it computes
   */
  record Leaving(int generation, long results) implements RankReport {
    @Override
    public String describe() {
      return "asked to end; leaving after the current step";
    }
  }

  /** The rank has done all its work. */
  record Finished() implements RankReport {}
}
