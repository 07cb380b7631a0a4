package io.github.amb.runtime.train.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateMap;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.mpj.RunSecret;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {
  private static final Map<String, String> OWN =
      new TreeMap<>(Map.of("--seed", "1", "SHA-256 of x", "ab", "version", "0.1 c0ffee"));
  private static final long LIMIT = 1_000_000_000;

  private static void run(
      Handshake master, ResumePoint resumed, BiConsumer<Communicator, Clock> worker) {
    new VirtualCluster(3, CostModel.perExample(1))
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == Communicator.MASTER) {
                master.admit(communicator, resumed, LIMIT);
              } else {
                worker.accept(communicator, clock);
              }
            });
  }

  private static Handshake of(Map<String, String> own, String secret) {
    return new Handshake(own, new RunSecret(secret));
  }

  @Test
  void workersThatFitGetTheirStates() {
    var states = new TreeMap<Integer, StateMap>();
    for (int rank = 1; rank <= 2; rank++) {
      StateMap state = new StateMap();
      state.put("a/b", new long[] {rank});
      states.put(rank, state);
    }
    run(
        of(OWN, "secret"),
        new ResumePoint(5, 1.5, new StateMap(), states),
        (communicator, clock) -> {
          StateMap state = of(OWN, "secret").join(communicator, LIMIT);
          assertArrayEquals(new long[] {communicator.rank()}, (long[]) state.get("a/b"));
        });
  }

  @ParameterizedTest
  @CsvSource({
    "--seed, 2, 'rank 2 was rejected: --seed: expected 1, as at the master, found 2'",
    "version, 0.2, 'rank 2 was rejected: version: expected 0.1 c0ffee, as at the master, found 0.2'",
    "SHA-256 of x, cd, 'rank 2 was rejected: SHA-256 of x: expected ab, as at the master, found cd'",
    "more, 1, 'rank 2 was rejected: expected no further settings, found {more=1}'"
  })
  void aDifferentRankIsRejectedWithTheDifference(String key, String value, String message) {
    Map<String, String> other = new TreeMap<>(OWN);
    other.put(key, value);
    var error =
        assertThrows(
            UsageException.class,
            () ->
                run(
                    of(OWN, "secret"),
                    null,
                    (communicator, clock) ->
                        of(communicator.rank() == 2 ? other : OWN, "secret")
                            .join(communicator, LIMIT)));
    assertEquals(
        message + "; give all ranks the same program, options and data", error.getMessage());
  }

  /** Under another launcher each rank has a command line of its own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fmb rms 64 --rho 0.90 --lr .01 | fmb rms 64 --rho=.9 --starter_learning_rate 1e-2
          coded sgd 64 --coded-repetition cyclic --seed 1 | coded sgd 64 --codec none
          amb rms 8 --amb-time-limit .2 | amb rms 8 --amb_time_limit=0.20
          """)
  void optionsAreComparedByTheirValues(String master, String worker) {
    Handshake own = of(canonical(master), "secret");
    assertNull(own.difference(of(canonical(worker), "secret").hello(1), 1));
    String other = of(canonical(worker + " --test-size 7"), "secret").hello(1);
    assertEquals("--test-size: expected -1, as at the master, found 7", own.difference(other, 1));
  }

  private static Map<String, String> canonical(String options) {
    Map<String, String> own = new TreeMap<>();
    CommandLine.parse(List.of(("toy " + options).split(" ")))
        .settings()
        .canonical()
        .forEach((name, value) -> own.put("--" + name, value));
    return own;
  }

  @Test
  void aRankWithoutTheSecretIsRejected() {
    Handshake master = of(OWN, "secret");
    assertNull(master.difference(of(OWN, "secret").hello(1), 1));
    assertTrue(master.difference(of(OWN, "guessed").hello(1), 1).contains("found another one"));
    assertTrue(master.difference(of(OWN, "secret").hello(2), 1).contains("secret"));
    assertTrue(master.difference("", 1).contains("expected"));
  }

  @Test
  void oneThatDoesNotComeIsNamed() {
    var error =
        assertThrows(
            EngineException.class,
            () ->
                run(
                    of(OWN, "s"),
                    null,
                    (communicator, clock) -> {
                      if (communicator.rank() == 1) {
                        of(OWN, "s").join(communicator, 2 * LIMIT);
                      }
                    }));
    assertTrue(
        error.getMessage().startsWith("ranks 2 were not ready within --start-limit"),
        error.getMessage());
  }
}
