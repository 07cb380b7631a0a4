package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.topology.Topology;
import io.github.amb.core.update.NonFiniteGradientException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Training with {@link Topology#SLICED} on the virtual cluster. */
class SlicedTopologyTest {
  private static final int STEPS = 10;

  private final AtomicInteger addends = new AtomicInteger();
  private final AtomicInteger longest = new AtomicInteger();

  /** Looks at what is sent below the topology, and may change it. */
  private final class Wire extends ForwardingCommunicator {
    private final BiConsumer<Integer, Message> change;

    Wire(Communicator engine, BiConsumer<Integer, Message> change) {
      super(engine);
      this.change = change;
    }

    @Override
    protected void sending(int to, Message message) {
      addends.addAndGet(message.kind() == Message.Kind.ADDEND ? 1 : 0);
      longest.accumulateAndGet(message.length(), Math::max);
      change.accept(rank(), message);
    }
  }

  private static TrainingRun.Plan plan(String scheme, int workers) {
    SchemeOptions options = new SchemeOptions(16, workers);
    if (scheme.startsWith("amb")) {
      options =
          options
              .with(
                  AnytimeOptions.TIME_LIMIT,
                  scheme.equals("amb") ? 0.01 : AnytimeOptions.AUTO_ACCURACY)
              .with(AnytimeOptions.NUM_PARTITIONS, 4);
    }
    if (scheme.equals("k-sync")) {
      options = options.with(KSync.NUM_AGGREGATE, workers);
    }
    double[] speeds = new double[workers];
    Arrays.setAll(speeds, worker -> 1 + worker * 5 % 3);
    return TrainingRun.plan(Schemes.named(scheme.split("-a")[0]).create(options), workers)
        .costs(CostModel.perExample(0.001))
        .speeds(speeds)
        .steps(STEPS);
  }

  private TrainingRun.Plan sliced(TrainingRun.Plan plan, BiConsumer<Integer, Message> change) {
    return plan.links(engine -> new Wire(engine, change)).topology(Topology.SLICED);
  }

  private TrainingRun.Plan sliced(TrainingRun.Plan plan) {
    return sliced(plan, (rank, message) -> {});
  }

  @ParameterizedTest
  @CsvSource({"fmb, 2", "fmb, 3", "fmb, 7", "amb, 3", "amb, 5"})
  void theBitsAndRecordsAreThoseOfTheStar(String scheme, int workers) {
    TrainingRun sliced = sliced(plan(scheme, workers)).run();
    assertEquals(STEPS * workers * (workers - 1), addends.get());
    int whole = sliced.parameters.length;
    assertTrue(longest.get() <= whole / workers + 1, longest + " of " + whole);
    TrainingRun star = plan(scheme, workers).run();
    assertArrayEquals(star.parameters, sliced.parameters);
    assertEquals(star.workers(), sliced.workers());
    assertEquals(
        star.steps().stream().map(StepRecord::loss).toList(),
        sliced.steps().stream().map(StepRecord::loss).toList());
    assertEquals(star.collections(), sliced.collections());
    assertEquals(star.accountedExamples(), sliced.accountedExamples());
  }

  /** Where links take time, slices of fast workers come while others still wait for theirs. */
  @Test
  void slicesMayComeInAnyOrder() {
    CostModel slow = new CostModel(0.001, 0, 0, 0, 0, 0, 0.001, 1e4);
    TrainingRun sliced = sliced(plan("fmb", 5).costs(slow)).run();
    assertArrayEquals(plan("fmb", 5).run().parameters, sliced.parameters);
  }

  /** What the master sends is encoded before it is cut. */
  @Test
  void encodedParametersAreCutAsTheyAre() {
    Codings down = new Codings(Coding.NONE, Codecs.parse("topk:0.3+min=1"));
    TrainingRun star = plan("fmb", 3).codings(down).run();
    TrainingRun sliced = sliced(plan("fmb", 3).codings(down)).run();
    assertArrayEquals(star.parameters, sliced.parameters);
    assertEquals(STEPS * 3 * 2, addends.get());
  }

  /** A codec of slices does what it does in the star to a network whose blocks are the slices. */
  @ParameterizedTest
  @CsvSource({
    "fmb, 3, none+zstd",
    "fmb, 2, topk:0.2+ef+min=1",
    "amb, 5, topk:0.2+ef+min=1+biases",
    "amb, 3, int8:bucket=4+min=1",
    "fmb, 3, qsgd:4+min=1",
    "fmb, 3, randomk:0.2+ef+min=1",
    "fmb, 3, topk:0.2+momentum+min=1",
    "fmb, 3, topk:0.2+ef+min=1+after=4",
    "amb, 3, signsgd+min=1",
    "fmb, 3, fp16+min=9"
  })
  void slicesAreEncodedAsBlocksOfTheirOwn(String scheme, int workers, String codec) {
    Codings codings = new Codings(Codecs.parse(codec), Codecs.parse("bf16+min=1"));
    TrainingRun sliced = sliced(plan(scheme, workers).codings(codings)).run();
    assertEquals(STEPS * workers * (workers - 1), addends.get());
    TrainingRun.Plan star = plan(scheme, workers).codings(codings);
    TrainingRun blocks = star.sources(source -> new Cut(source, workers)).run();
    assertArrayEquals(blocks.parameters, sliced.parameters);
    assertEquals(blocks.workers(), sliced.workers());
    if (codec.startsWith("none")) {
      TrainingRun plain =
          plan(scheme, workers).codings(new Codings(Coding.NONE, codings.downlink())).run();
      assertArrayEquals(plain.parameters, sliced.parameters);
    }
  }

  /** A network whose layout ends a block where a slice ends. */
  private record Cut(GradientSource source, int workers) implements GradientSource {
    @Override
    public Layout layout() {
      int size = source.layout().size();
      List<Block> blocks = new ArrayList<>();
      for (Block block : source.layout().blocks()) {
        int begin = block.offset();
        for (int end = begin + 1; end <= block.end(); end++) {
          int at = end;
          boolean ends = IntStream.range(1, workers).anyMatch(j -> at == j * size / workers);
          if (ends || end == block.end()) {
            boolean whole = end - begin == block.length();
            String name = block.name() + (whole ? "" : "-" + (begin - block.offset()));
            int[] shape = whole ? block.shape() : new int[] {end - begin};
            blocks.add(new Block(name, block.kind(), begin, shape));
            begin = end;
          }
        }
      }
      return new Layout(blocks);
    }

    @Override
    public int trainingExamples() {
      return source.trainingExamples();
    }

    @Override
    public int testExamples() {
      return source.testExamples();
    }

    @Override
    public void initialize(long seed, float[] parameters) {
      source.initialize(seed, parameters);
    }

    @Override
    public void begin(FloatBuffer parameters, long drawSeed) {
      source.begin(parameters, drawSeed);
    }

    @Override
    public double accumulate(int[] examples, int from, int to) {
      return source.accumulate(examples, from, to);
    }

    @Override
    public void finish(FloatBuffer gradient) {
      source.finish(gradient);
    }

    @Override
    public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
      return source.evaluate(parameters, examples, from, to);
    }

    @Override
    public void close() {
      source.close();
    }
  }

  @Test
  void anEncodedSliceThatIsTooShortIsRejected() {
    Codings codings = new Codings(Codecs.parse("int8+min=1"), Coding.NONE);
    TrainingRun.Plan plan =
        sliced(
            plan("fmb", 3).codings(codings),
            (rank, message) -> {
              if (rank == 2 && message.kind() == Message.Kind.ADDEND && message.step() == 3) {
                message.ensureCapacity(message.length() - 1);
              }
            });
    MalformedMessageException found = assertThrows(MalformedMessageException.class, plan::run);
    assertEquals(2, found.source());
  }

  @ParameterizedTest
  @ValueSource(strings = {"k-sync", "async", "dcasgd", "amb-accuracy"})
  void schemesThatNeedEachGradientLetNothingBeSummed(String scheme) {
    sliced(plan(scheme, 3)).run();
    assertEquals(0, addends.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aSumThatIsNotFiniteNamesItsWorker(int worker) {
    TrainingRun.Plan plan =
        plan("fmb", 3)
            .links(
                engine ->
                    new ForwardingCommunicator(Topology.SLICED.over(engine)) {
                      @Override
                      protected void sending(int to, Message message) {
                        if (message.isReduced() && message.step() == 4 && rank() == worker) {
                          message.values()[5] = Float.NaN;
                          message.values()[20] = Float.POSITIVE_INFINITY;
                        }
                      }
                    });
    NonFiniteGradientException rejected = assertThrows(NonFiniteGradientException.class, plan::run);
    assertEquals(worker, rejected.rank());
    NonFiniteGradientException star =
        assertThrows(
            NonFiniteGradientException.class,
            plan("fmb", 3).links(engine -> poisoned(engine, worker))::run);
    assertEquals(star.getMessage(), rejected.getMessage());
  }

  private static Communicator poisoned(Communicator engine, int worker) {
    return new ForwardingCommunicator(engine) {
      @Override
      protected void sending(int to, Message message) {
        if (message.isResult() && message.step() == 4 && rank() == worker) {
          message.values()[5] = Float.NaN;
          message.values()[20] = Float.POSITIVE_INFINITY;
        }
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"SLICE, 1", "ADDEND, 1", "SLICE, 2", "ADDEND, 2"})
  void aSliceThatIsTooShortIsRejected(Message.Kind kind, int worker) {
    TrainingRun.Plan plan =
        sliced(
            plan("fmb", 3),
            (rank, message) -> {
              if (rank == worker && message.kind() == kind && message.step() == 3) {
                message.ensureCapacity(message.length() - 1);
              }
            });
    MalformedMessageException found = assertThrows(MalformedMessageException.class, plan::run);
    assertEquals(worker, found.source());
  }

  @Test
  void vectorsOfOtherLengthAreRejected() {
    TrainingRun.Plan plan =
        sliced(
            plan("fmb", 3),
            (rank, message) -> {
              if (rank == 2 && message.kind() == Message.Kind.GRADIENT && message.step() == 3) {
                message.count(message.count() + 1);
              }
            });
    MalformedMessageException found = assertThrows(MalformedMessageException.class, plan::run);
    assertTrue(found.source() > 0, found.getMessage());
  }
}
