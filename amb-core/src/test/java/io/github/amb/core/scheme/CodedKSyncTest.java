package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.WorkerRecord;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ATOMO's num-aggregate: every update takes k encoded gradients and no more. */
class CodedKSyncTest {
  private static final int WORKERS = 4;
  private static final int AGGREGATE = 2;
  private static final int BATCH = 10;
  private static final int STEPS = 25;
  private static final long SEED = 3;
  private static final float RATE = 0.05f;

  private static TrainingRun train(Coding coding) {
    Scheme scheme =
        Schemes.named("k-sync")
            .create(new SchemeOptions(BATCH, WORKERS).with(KSync.NUM_AGGREGATE, AGGREGATE));
    return TrainingRun.plan(scheme, WORKERS)
        .seed(SEED)
        .steps(STEPS)
        .rule("sgd", RATE, 0)
        .delays(random -> 0.02 * random.nextDouble())
        .codings(new Codings(coding, Coding.NONE))
        .run();
  }

  /** One worker, step by step, by hand. */
  private static final class Replay {
    final GradientSource model = TrainingRun.source();
    final float[] decoded = new float[model.layout().size()];
    private final Streams streams = new Streams(Seeds.of(SEED));
    private final ExampleOrder order;
    private final VectorEncoder encoder;
    private final VectorDecoder decoder;
    private final int[] batch = new int[BATCH];

    Replay(int rank, Coding coding) {
      order = new ExampleOrder(streams, model.trainingExamples(), rank - 1, WORKERS);
      encoder = new VectorEncoder(model.layout(), coding, streams, "uplink", rank);
      decoder = new VectorDecoder(model.layout(), coding, streams, "uplink");
    }

    /** Decodes what the worker sends of the next batch's gradient. */
    void send(float[] parameters, long step) {
      float[] gradient = new float[decoded.length];
      order.peek(batch);
      order.advance(BATCH);
      model.begin(parameters, 0);
      model.accumulate(batch, 0, BATCH);
      model.finish(gradient);
      int length = encoder.encode(gradient, step);
      decoder.decode(encoder.message(), length, step, decoded);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"qsgd:4,bucket=8+min=1", "topk:0.2+ef+min=1", "atomo-svd:1+min=1"})
  void updatesAreThoseOfTheFirstMessagesAndNoOthers(String codec) {
    Coding coding = Codecs.parse(codec);
    TrainingRun run = train(coding);
    Replay[] workers = new Replay[WORKERS + 1];
    Arrays.setAll(workers, rank -> rank == 0 ? null : new Replay(rank, coding));
    float[] parameters = new float[run.parameters.length];
    TrainingRun.source().initialize(Seeds.of(SEED), parameters);
    for (int step = 1; step <= STEPS; step++) {
      Set<Integer> used = used(run, step);
      assertEquals(AGGREGATE, used.size());
      float[] sum = new float[parameters.length];
      for (int rank : sorted(used, dropped(run, step))) {
        workers[rank].send(parameters, step);
        for (int i = 0; i < sum.length && used.contains(rank); i++) {
          sum[i] += workers[rank].decoded[i];
        }
      }
      for (int i = 0; i < sum.length; i++) {
        parameters[i] -= RATE * (sum[i] * (1f / (AGGREGATE * BATCH)));
      }
    }
    assertArrayEquals(parameters, run.parameters);
    assertArrayEquals(parameters, train(coding).parameters, "runs repeat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"qsgd:4,bucket=8+min=1", "topk:0.2+ef+min=1"})
  void lateMessagesAreLoggedAsDropped(String codec) {
    TrainingRun run = train(Codecs.parse(codec));
    Set<Integer> late = run.drops().stream().map(DropRecord::rank).collect(Collectors.toSet());
    assertTrue(late.size() > 1, () -> "late: " + late);
    assertEquals((long) STEPS * AGGREGATE * BATCH, run.accountedExamples());
    run.drops().forEach(drop -> assertEquals(BATCH, drop.numSamples()));
    run.collections().forEach(record -> assertEquals(AGGREGATE, record.workerCount()));
  }

  private static Set<Integer> used(TrainingRun run, long step) {
    return run.workers().stream()
        .filter(record -> record.masterStep() == step)
        .map(WorkerRecord::rank)
        .collect(Collectors.toSet());
  }

  /** Workers whose messages of a step came when it was over. */
  private static Set<Integer> dropped(TrainingRun run, long step) {
    return run.drops().stream()
        .filter(drop -> drop.step() - drop.staleness() + 1 == step)
        .map(DropRecord::rank)
        .collect(Collectors.toSet());
  }

  private static Set<Integer> sorted(Set<Integer> some, Set<Integer> others) {
    Set<Integer> all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }
}
