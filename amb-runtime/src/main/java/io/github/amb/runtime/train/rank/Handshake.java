package io.github.amb.runtime.train.rank;

import static io.github.amb.models.data.DataSettings.DATA_DIR;
import static io.github.amb.runtime.console.OutputSettings.RUNS_DIR;
import static io.github.amb.runtime.console.OutputSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.host.RankSettings.PLUGINS;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.state.StateMap;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.checkpoint.StateMessages;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.part.InputChecksums;
import io.github.amb.runtime.train.part.RunParts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Before training, every worker sends the master what it was started with: the version, every
 * option, the network that it has built, the data's checksums, and a proof that it knows the run's
 * secret. The master answers with the state to start from, or rejects the worker and names the
 * first difference.
 *
 * @param own what this rank was started with, by name
 * @param secret the run's secret
 */
record Handshake(Map<String, String> own, RunSecret secret) {
  private static final String PROOF = "proof";
  private static final String REMEDY = "; give all ranks the same program, options and data";
  private static final List<String> PLACES =
      List.of(DATA_DIR.name(), RUN_DIRECTORY.name(), RUNS_DIR.name(), PLUGINS.name());

  /** The description of this rank. */
  static Handshake of(RunParts run) {
    Map<String, String> own = new LinkedHashMap<>();
    Map<String, String> environment = RunProvenance.describe();
    own.put("version", environment.get("amb") + " " + environment.get("git_commit"));
    run.settings().canonical().forEach((name, value) -> own.put("--" + name, value));
    PLACES.forEach(place -> own.remove("--" + place));
    own.putAll(PluginLoader.describe());
    own.putAll(run.describeNetwork());
    InputChecksums.of(run.settings()).forEach((file, sum) -> own.put("SHA-256 of " + file, sum));
    return new Handshake(own, RunSecret.own());
  }

  /**
   * The master's part: compares every worker's description with its own, and sends the state to
   * start from.
   *
   * @param resumed the state of a resumed run, or null
   * @throws UsageException if a worker differs from the master
   * @throws EngineException if one does not answer before the deadline
   */
  void admit(Communicator communicator, ResumePoint resumed, long deadline) {
    Set<Integer> missing = new TreeSet<>();
    IntStream.range(1, communicator.size()).forEach(missing::add);
    Message message = new Message();
    for (int i = 1; i < communicator.size(); i++) {
      if (!communicator.receive(Communicator.ANY, message, deadline)) {
        throw new EngineException(
            "ranks %s were not ready within --start-limit: see their logs, or raise --start-limit"
                .formatted(
                    missing.stream().map(String::valueOf).collect(Collectors.joining(", "))));
      }
      missing.remove(message.source());
      admit(communicator, message, deadline);
    }
    welcome(communicator, resumed, deadline);
  }

  /**
   * Sends every worker the state to start from.
   *
   * @param resumed the state of a resumed run, or null for a new one
   * @param deadline on the communicator's clock, in nanoseconds
   */
  static void welcome(Communicator communicator, ResumePoint resumed, long deadline) {
    Message message = new Message();
    for (int rank = 1; rank < communicator.size(); rank++) {
      message.reset(Message.Kind.WELCOME, resumed == null ? 0 : resumed.step());
      StateMessages.put(message, resumed == null ? new StateMap() : resumed.worker(rank));
      communicator.send(rank, message, deadline);
    }
  }

  private void admit(Communicator communicator, Message hello, long deadline) {
    int rank = hello.source();
    String difference =
        hello.kind() == Message.Kind.HELLO
            ? difference(StateMessages.text(hello), rank)
            : "expected HELLO, found " + hello.kind();
    if (difference != null) {
      Message rejected = new Message().reset(Message.Kind.REJECTED, 0);
      StateMessages.putText(rejected, difference + REMEDY);
      communicator.send(rank, rejected, deadline);
      throw new UsageException("rank " + rank + " was rejected: " + difference + REMEDY);
    }
  }

  /**
   * The first difference between a worker's description and the master's, or null if they are
   * equal.
   */
  String difference(String hello, int rank) {
    Map<String, String> theirs = new TreeMap<>();
    for (String line : hello.lines().toList()) {
      int end = line.indexOf('\t');
      theirs.put(end < 0 ? line : line.substring(0, end), line.substring(end + 1));
    }
    String proof = String.valueOf(theirs.remove(PROOF));
    for (String key : own.keySet()) {
      if (!Objects.equals(own.get(key), theirs.get(key))) {
        return "%s: expected %s, as at the master, found %s"
            .formatted(key, own.get(key), theirs.get(key));
      }
    }
    theirs.keySet().removeAll(own.keySet());
    if (!theirs.isEmpty()) {
      return "expected no further settings, found " + theirs;
    }
    return RunSecret.isSame(secret.proofOfStart(rank, text()), proof)
        ? null
        : "expected the secret of this run, found another one";
  }

  /** The text by which a worker describes itself. */
  String hello(int rank) {
    return text() + "\n" + PROOF + "\t" + secret.proofOfStart(rank, text());
  }

  private String text() {
    return own.entrySet().stream()
        .map(entry -> entry.getKey() + "\t" + entry.getValue().replaceAll("\\s", " "))
        .collect(Collectors.joining("\n"));
  }

  /**
   * A worker's part: sends its description and receives its state.
   *
   * @param deadline on the communicator's clock, in nanoseconds
   * @return the state to start from; empty in a new run
   * @throws UsageException if the master rejects this rank
   * @throws EngineException if it does not answer before the deadline
   */
  StateMap join(Communicator communicator, long deadline) {
    Message message = new Message().reset(Message.Kind.HELLO, 0);
    StateMessages.putText(message, hello(communicator.rank()));
    communicator.send(Communicator.MASTER, message, deadline);
    return awaitWelcome(communicator, deadline);
  }

  /** Waits for the message that {@link #welcome} sends. */
  static StateMap awaitWelcome(Communicator communicator, long deadline) {
    Message message = new Message();
    if (!communicator.receive(Communicator.MASTER, message, deadline)) {
      throw new EngineException(
          "the master did not start the run within --start-limit: see its log, rank-0.log");
    }
    return switch (message.kind()) {
      case WELCOME -> StateMessages.state(message);
      case REJECTED ->
          throw new UsageException("rejected by the master: " + StateMessages.text(message));
      default -> throw new EngineException("expected WELCOME, found " + message.kind());
    };
  }
}
