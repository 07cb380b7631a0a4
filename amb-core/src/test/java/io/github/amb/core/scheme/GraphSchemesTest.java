package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.context.Graph;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.TimingSource;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.Sgd;
import io.github.amb.core.update.WeightDecay;
import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes whose workers agree with their neighbors in a graph, or meet in pairs. */
@Timeout(60)
class GraphSchemesTest {
  private static final int BATCH = 10;
  private static final String COMPLETE = " graph=complete consensus-rounds=1";

  private static TrainingRun.Plan plan(String scheme) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, 3), 3).speeds(1, 0.5, 0.25);
  }

  /** On a complete graph one round is exact, so that all do what a master would do. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01})
  void exactConsensusIsDualAveragingOfTheSum(double decay) {
    TrainingRun hub = plan("fmb").rule("dual-averaging", 0.05, decay).run();
    TrainingRun graph = plan("fmb-graph" + COMPLETE).rule("dual-averaging", 0.05, decay).run();
    graph.assertEqualButForRounding(hub, 3 * BATCH);
    graph.assertLearnt();
  }

  /** A time in which workers do 4, 2 and 1 examples, to the nanosecond. */
  @Test
  void examplesOfTheTimeWeighGradients() {
    String time = " amb-time-limit=0.004 amb-num-partitions=10";
    TrainingRun hub = plan("amb" + time).rule("dual-averaging", 0.05, 0).run();
    TrainingRun graph = plan("amb-graph" + time + COMPLETE).rule("dual-averaging", 0.05, 0).run();
    assertEquals(7, graph.steps().get(0).numSamples());
    graph.assertEqualButForRounding(hub, 7);
  }

  /** In three milliseconds worker 3 does its first example, and worker 2 abandons its second. */
  @Test
  void whatIsUnderWayAtTheEndOfTheTimeIsAbandoned() {
    String time = " amb-time-limit=0.003 amb-num-partitions=10";
    TrainingRun run = plan("amb-graph" + time + COMPLETE).steps(2).run();
    assertEquals(3 + 1 + 1, run.steps().get(0).numSamples());
    assertEquals(0.004, run.steps().get(0).time(), 1e-9);
    assertEquals(10, run.accountedExamples());
  }

  @Test
  void inexactConsensusLearnsAsWell() {
    TrainingRun run =
        TrainingRun.plan(SchemeSamples.make("fmb-graph consensus-rounds=2", BATCH, 6), 6)
            .rule("dual-averaging", 0.05, 0)
            .run();
    run.assertLearnt();
  }

  /** The observer sends nodes its parameters again; their next change includes this one. */
  @Test
  void whatTheObserverHasLeftOutIsMadeUpFor() {
    Map<Long, float[]> told = new TreeMap<>();
    TrainingRun whole = plan("fmb-graph").rule("dual-averaging", 0.05, 0).run();
    TrainingRun run =
        plan("fmb-graph")
            .rule("dual-averaging", 0.05, 0)
            .links(
                link ->
                    new ForwardingCommunicator(link) {
                      @Override
                      protected void sending(int to, Message message) {
                        if (message.kind() == Message.Kind.PARAMETERS && message.length() > 0) {
                          told.put(
                              message.step(), Arrays.copyOf(message.values(), message.length()));
                        }
                      }

                      @Override
                      protected boolean received(Message message) {
                        if (message.kind() == Message.Kind.DELTA
                            && message.step() == 3
                            && message.source() == 2) {
                          message.examples(0);
                        }
                        return true;
                      }
                    })
            .run();
    assertEquals(Set.of(1L, 4L), told.keySet());
    float[] all = told.get(4L);
    int size = whole.parameters.length;
    assertEquals(3 * size, all.length);
    for (int i = 0; i < size; i++) {
      assertEquals(told.get(1L)[i], all[size + i]);
      assertEquals(all[i], all[size + i] - 0.05f * all[2 * size + i], 1e-6);
    }
    run.assertEqualButForRounding(whole, 3 * BATCH);
  }

  /**
   * What the nodes' dual vectors have gained after one epoch on the paper's graph, where the mean
   * gradient of node i, from 0, is i.
   */
  private static double[] duals(String scheme, CostModel costs, double... speeds) {
    Scheme made = SchemeSamples.make(scheme + " graph=amb-iclr-10", BATCH, 10);
    double[] duals = new double[10];
    double[] all = new double[11];
    Arrays.fill(all, 1);
    System.arraycopy(speeds, 0, all, 1, speeds.length);
    new VirtualCluster(11, costs, costs.workTime(all), 1)
        .run(
            (link, clock) -> {
              if (link.rank() == Communicator.MASTER) {
                observe(link, duals);
              } else {
                made.runWorker(node(link.rank(), clock, link.rank() - 1), link);
              }
            });
    return duals;
  }

  private static void observe(Communicator link, double[] duals) {
    Message message = new Message();
    for (int i = 0; i < 10; i++) {
      link.receive(Communicator.ANY, message, Clock.NEVER);
    }
    message.reset(Message.Kind.PARAMETERS, 1).asParameters().set(1, 0);
    float[] beginning = message.ensureCapacity(3);
    beginning[0] = 5; // w = w₀ − z, as for a node that joins a run
    beginning[1] = 7;
    beginning[2] = 2;
    link.broadcast(message, Clock.NEVER);
    for (int i = 0; i < 10; i++) {
      link.receive(Communicator.ANY, message, Clock.NEVER);
      duals[message.source() - 1] = message.values()[0];
    }
    link.broadcast(message.reset(Message.Kind.STOP, 1), Clock.NEVER);
  }

  private static WorkerContext node(int rank, Clock clock, double gradient) {
    TimingSource timing = new TimingSource(1000, 10);
    long[] examples = {0};
    GradientSource source =
        (GradientSource)
            Proxy.newProxyInstance(
                GradientSource.class.getClassLoader(),
                new Class<?>[] {GradientSource.class},
                (proxy, method, arguments) -> {
                  Object made = method.invoke(timing, arguments);
                  if (method.getName().equals("accumulate")) {
                    examples[0] = (int) arguments[2];
                  } else if (method.getName().equals("finish")) {
                    ((FloatBuffer) arguments[0]).put(0, (float) gradient * examples[0]);
                  }
                  return made;
                });
    return new WorkerContext(
        rank,
        clock,
        source,
        ExampleOrder.unread().of(rank - 1),
        DelayModel.NONE,
        new Streams(1),
        new MasterUpdate(source.layout(), new Sgd(), WeightDecay.NONE),
        record -> {},
        new StateRegistry(),
        NonFinite.HALT);
  }

  private static void assertDuals(double[] expected, double[] found) {
    for (int node = 0; node < 10; node++) {
      assertEquals(expected[node], found[node], 0.5e-4 + 10 * 20 * TrainingRun.UNIT_ROUNDOFF);
    }
  }

  /** W v and W⁵ v of v = 0, …, 9, from another program. */
  @Test
  void roundsMultiplyByTheWeightsOfThePaper() {
    CostModel costs = CostModel.perExample(0.001);
    assertDuals(
        new double[] {2.7762, 4, 2.0571, 3.6476, 4.1667, 4.8333, 5.5357, 5.0929, 7.7, 5.1905},
        duals("fmb-graph consensus-rounds=1", costs));
    assertDuals(
        new double[] {
          4.5399, 4.3274, 3.6754, 4.1604, 4.4613, 4.6795, 4.6089, 4.4380, 5.2984, 4.8108
        },
        duals("fmb-graph consensus-rounds=5", costs));
  }

  /** A message takes 10 ms, so that one round ends in 15 ms, and the second one does not count. */
  @Test
  void consensusEndsAtItsTime() {
    CostModel costs = new CostModel(0.001, 0, 0, 0, 0, 0, 0.01, Double.POSITIVE_INFINITY);
    assertDuals(
        new double[] {2.7762, 4, 2.0571, 3.6476, 4.1667, 4.8333, 5.5357, 5.0929, 7.7, 5.1905},
        duals(
            "amb-graph consensus-rounds=5 amb-time-limit=0.01 amb-num-partitions=10 consensus-time=0.015",
            costs));
  }

  /**
   * Node i does one example, but 0 does 10: the sums W b v and W b of both are divided. By hand for
   * node 2, with neighbors 1 and 3, and node 0, which sees 1, 5 and 9.
   */
  @Test
  void weightsAreFoundByTheSameConsensus() {
    double[] found = dualsOfUnequalBatches(1);
    double own = 1 - 1.0 / 7 - 1.0 / 5;
    assertEquals(1 / 7.0 + own * 2 + 3 / 5.0, found[2], 1e-5);
    double self = 1 - 1.0 / 7 - 1.0 / 6 - 1.0 / 5;
    double sum = 1 / 7.0 + 5 / 6.0 + 9 / 5.0;
    double weight = 10 * self + 1 / 7.0 + 1 / 6.0 + 1 / 5.0;
    assertEquals(sum / weight, found[0], 1e-5);
  }

  /** The same for two rounds: W² b v and W² b, with the weights of the graph. */
  @Test
  void weightsArePassedOnFromRoundToRound() {
    double[] found = dualsOfUnequalBatches(2);
    double[] weights = new double[10];
    Arrays.fill(weights, 1);
    weights[0] = 10;
    double[] sums = IntStream.range(0, 10).mapToDouble(i -> i * weights[i]).toArray();
    double[] of = mixed(mixed(weights));
    double[] all = mixed(mixed(sums));
    Arrays.setAll(all, i -> all[i] / of[i]);
    assertDuals(all, found);
  }

  /** Node 0 does 10 examples, each other one 1. */
  private static double[] dualsOfUnequalBatches(int rounds) {
    double[] speeds = new double[10];
    Arrays.fill(speeds, 0.1);
    speeds[0] = 1;
    String scheme =
        "amb-graph amb-time-limit=0.01 amb-num-partitions=10 consensus-rounds=" + rounds;
    return duals(scheme, CostModel.perExample(0.001), speeds);
  }

  private static double[] mixed(double[] vector) {
    Graph graph = Graph.of("amb-iclr-10", 10);
    return IntStream.range(0, 10)
        .mapToDouble(
            i -> IntStream.range(0, 10).mapToDouble(j -> graph.weight(i, j) * vector[j]).sum())
        .toArray();
  }

  /** The same, but one round is W v, whatever b is. */
  @Test
  void nodesMayWeighAlike() {
    String scheme =
        "amb-graph consensus-rounds=1 amb-time-limit=0.01 amb-num-partitions=10"
            + " client-weights=uniform";
    double[] found = duals(scheme, CostModel.perExample(0.001), 1, 0.1, 0.1, 0.1, 0.1);
    assertDuals(
        new double[] {2.7762, 4, 2.0571, 3.6476, 4.1667, 4.8333, 5.5357, 5.0929, 7.7, 5.1905},
        found);
  }

  /** Seconds per epoch, and examples per second, without gradients. */
  private static double[] pace(String scheme, int batch, int workers, int epochs, Plan plan) {
    TrainingRun.Plan made = TrainingRun.plan(SchemeSamples.make(scheme, batch, workers), workers);
    plan.apply(made);
    TrainingRun run = made.sources(source -> new TimingSource(50_000, 10)).steps(epochs).run();
    double time = run.steps().get(epochs - 1).time();
    return new double[] {time / epochs, run.steps().get(epochs - 1).totalSamples() / time};
  }

  private interface Plan {
    void apply(TrainingRun.Plan plan);
  }

  /**
   * The paper's cluster of 50 nodes in five groups that pause 5, 10, 20, 35 and 55 ms per gradient,
   * for T = 115 ms, against 10 gradients at each: 550 ms. In whole gradients the nodes do 440 of
   * 500; in hundredths of them 45,620 of 50,000.
   */
  @ParameterizedTest
  @CsvSource({"1, 440", "100, 45620"})
  void paceOnTheClusterOfFiveGroups(int parts, int examples) {
    int batch = 40 * parts;
    double[] speeds =
        IntStream.range(0, 50)
            .mapToDouble(i -> new double[] {11, 5.5, 2.75, 11 / 7.0, 1}[i / 10])
            .toArray();
    Plan cluster = plan -> plan.costs(CostModel.perExample(0.055 / parts)).speeds(speeds);
    double[] fixed = pace("fmb-graph graph=er:0.2", 10 * parts, 50, 3, cluster);
    double[] anytime =
        pace(
            "amb-graph graph=er:0.2 amb-time-limit=0.115 amb-num-partitions=" + batch,
            batch,
            50,
            3,
            cluster);
    assertEquals(550.0 / 115, fixed[0] / anytime[0], 1e-6);
    assertEquals(550.0 / 115 * examples / (500 * parts), anytime[1] / fixed[1], 1e-6);
  }

  /** Of n times 1 + Exp(2/3) the longest takes 1 + 3/2 Hₙ in the mean; one takes 2.5. */
  @ParameterizedTest
  @CsvSource({"10, 2.157", "20, 2.559"})
  void paceWithShiftedExponentialTimes(int nodes, double expected) {
    assertPace(nodes, expected);
  }

  /** Each of 50 nodes sends to each other one in 1,500 rounds. */
  @Test
  @Tag("lab")
  @Timeout(600)
  void paceOfFiftyNodes() {
    assertPace(50, 3.100);
  }

  private static void assertPace(int nodes, double expected) {
    int epochs = 1500;
    Plan cluster =
        plan ->
            plan.costs(CostModel.perExample(0))
                .delays(random -> 1 - 1.5 * Math.log1p(-random.nextDouble()));
    double[] fixed = pace("fmb-graph graph=complete consensus-rounds=1", 1, nodes, epochs, cluster);
    double variance = 2.25 * IntStream.rangeClosed(1, nodes).mapToDouble(k -> 1.0 / k / k).sum();
    double harmonic = IntStream.rangeClosed(1, nodes).mapToDouble(k -> 1.0 / k).sum();
    double mean = 1 + 1.5 * harmonic;
    assertEquals(expected, mean / 2.5, 0.0005);
    assertEquals(mean, fixed[0], Deviation.ofMean(epochs, variance, 20 * 1.5));
  }

  /**
   * The nodes' parameters at first and after each round of two local steps of SGD at rate 1, on one
   * parameter.
   *
   * @param gradients of each node, whatever the parameters are
   * @param met is added the pairs of each round, as sender and receiver
   */
  private static double[][] rounds(
      String options, double[] start, double[] gradients, int rounds, Map<Long, Set<String>> met) {
    int nodes = start.length;
    Scheme noloco = SchemeSamples.make("noloco local-steps=2 " + options, BATCH, nodes);
    double[][] after = new double[rounds + 1][];
    after[0] = start;
    new VirtualCluster(nodes + 1, CostModel.perExample(0.001))
        .run(
            (link, clock) -> {
              if (link.rank() == Communicator.MASTER) {
                begin(link, after);
              } else {
                WorkerContext node = node(link.rank(), clock, gradients[link.rank() - 1]);
                noloco.runWorker(node, noting(link, met));
              }
            });
    return after;
  }

  /** Sends parameters in the first round and each fifth one, as if a change had been left out. */
  private static void begin(Communicator link, double[][] after) {
    Message message = new Message();
    int nodes = after[0].length;
    for (int i = 0; i < nodes; i++) {
      link.receive(Communicator.ANY, message, Clock.NEVER);
    }
    for (int round = 1; round < after.length; round++) {
      after[round] = after[round - 1].clone();
      if (round % 5 == 0) {
        Arrays.fill(after[round], 128);
      }
      for (int rank = 1; rank <= nodes; rank++) {
        message.reset(Message.Kind.PARAMETERS, round).asParameters().set(1, 0);
        if (round == 1 || round % 5 == 0) {
          message.ensureCapacity(3)[0] = (float) after[round][rank - 1];
        }
        link.send(rank, message, Clock.NEVER);
      }
      for (int i = 0; i < nodes; i++) {
        link.receive(Communicator.ANY, message, Clock.NEVER);
        after[round][message.source() - 1] -= message.values()[0];
      }
    }
    link.broadcast(message.reset(Message.Kind.STOP, after.length), Clock.NEVER);
  }

  private static Communicator noting(Communicator link, Map<Long, Set<String>> met) {
    return new ForwardingCommunicator(link) {
      @Override
      protected void sending(int to, Message message) {
        if (message.kind() == Message.Kind.ESTIMATE) {
          met.computeIfAbsent(message.step(), step -> new TreeSet<>()).add(rank() + "-" + to);
        }
      }
    };
  }

  /** Of 0.7 mean(Δ) + 0.7 (mean(θ) − θ), with Δ = 0 and −2: 0.7 (−1) + 0.7 (7 − 5) = 0.7 first. */
  @Test
  void aPairTakesOuterStepsAsByHand() {
    double[][] found = rounds("", new double[] {5, 9}, new double[] {0, 1}, 2, new TreeMap<>());
    assertEquals(5 + 0.7, found[1][0], 1e-5);
    assertEquals(9 - 0.7 + 0.7 * (7 - 9), found[1][1], 1e-5);
    assertEquals(5.7 + 0.5 * 0.7 - 0.7 + 0.7 * (6.3 - 5.7), found[2][0], 1e-5);
    assertEquals(6.9 + 0.5 * -2.1 - 0.7 + 0.7 * (6.3 - 6.9), found[2][1], 1e-5);
  }

  @Test
  void aNodeThatIsLeftOutTakesItsOwnStep() {
    double[][] found = rounds("", new double[] {5}, new double[] {3}, 2, new TreeMap<>());
    assertEquals(5 - 0.7 * 6, found[1][0], 1e-5);
    assertEquals(0.8 - 0.5 * 4.2 - 0.7 * 6, found[2][0], 1e-5);
  }

  /**
   * Without gradients the mean stays, but for a few roundings of numbers below 256 per round, and
   * without momentum nodes come nearer.
   */
  @Test
  void pairsKeepTheMeanAndComeNearer() {
    double[] start = {0, 1, 2, 3, 4, 5, 90};
    double[][] moved = rounds("", start, new double[7], 20, new TreeMap<>());
    double[][] found = rounds("outer-momentum=0", start, new double[7], 20, new TreeMap<>());
    for (int round = 1; round <= 20; round++) {
      assertEquals(15, Arrays.stream(moved[round]).average().orElseThrow(), 1e-3);
      assertEquals(15, Arrays.stream(found[round]).average().orElseThrow(), 1e-3);
      double before = Arrays.stream(found[round - 1]).map(x -> (x - 15) * (x - 15)).sum();
      double after = Arrays.stream(found[round]).map(x -> (x - 15) * (x - 15)).sum();
      assertTrue(after < before, "round " + round);
    }
  }

  /** Two of five nodes do not meet in 200 rounds once in 1e18 seeds. */
  @Test
  void eachRoundHasOtherPairs() {
    Map<Long, Set<String>> met = new TreeMap<>();
    rounds("", new double[5], new double[5], 200, met);
    assertEquals(200, met.size());
    Set<String> all = new TreeSet<>();
    for (Set<String> pairs : met.values()) {
      assertEquals(4, pairs.size(), pairs.toString());
      Set<Character> nodes = new TreeSet<>();
      for (String pair : pairs) {
        nodes.add(pair.charAt(0));
        assertTrue(pairs.contains(pair.charAt(2) + "-" + pair.charAt(0)), pairs.toString());
      }
      assertEquals(4, nodes.size(), pairs.toString());
      all.addAll(pairs);
    }
    assertEquals(5 * 4, all.size(), all.toString());
  }

  /** Two nodes have the parameters of the mean, with one local step and without momentum. */
  @Test
  void twoNodesDoWhatDiLoCoDoes() {
    String options = " local-steps=1 outer-momentum=0";
    TrainingRun diloco = two("diloco" + options);
    TrainingRun noloco = two("noloco" + options);
    noloco.assertEqualButForRounding(diloco, 2 * BATCH);
    noloco.assertLearnt();
  }

  private static TrainingRun two(String scheme) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, 2), 2).rule("sgd", 0.05, 0).run();
  }

  @Test
  void aMessageOfAnotherLengthIsMalformed() {
    TrainingRun.Plan plan =
        TrainingRun.plan(SchemeSamples.make("noloco", BATCH, 2), 2)
            .links(
                link ->
                    new ForwardingCommunicator(link) {
                      @Override
                      protected boolean received(Message message) {
                        if (message.kind() == Message.Kind.ESTIMATE && message.step() == 3) {
                          message.exchange(message.values(), 1);
                        }
                        return true;
                      }
                    });
    assertThrows(MalformedMessageException.class, plan::run);
  }

  @Test
  void allProblemsAreNamedAtOnce() {
    var wrong =
        assertThrows(
            UsageException.class,
            () ->
                SchemeSamples.make(
                    "amb-graph graph=torus amb-time-limit=auto amb-num-partitions=11", BATCH, 7));
    assertEquals(3, wrong.getMessage().lines().count(), wrong.getMessage());
    var parts =
        assertThrows(
            UsageException.class, () -> SchemeSamples.make("fmb-graph graph=er:0.01", BATCH, 20));
    assertTrue(parts.getMessage().contains("connected"), parts.getMessage());
  }
}
