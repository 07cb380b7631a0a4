package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.update.NonFiniteParametersException;
import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of all schemes, on clusters of any speeds, delays and links. */
class EverySchemeTest {
  private static final int BATCH = 12;
  private static final int STEPS = 25;

  private static Scheme scheme(String text, int workers) {
    return SchemeSamples.make(text, BATCH, workers);
  }

  @Provide
  Arbitrary<String> schemes() {
    return Arbitraries.of(SchemeSamples.all());
  }

  static List<String> everyScheme() {
    return SchemeSamples.all();
  }

  /** Results alone would not show it: these are finite whatever the parameters are. */
  @ParameterizedTest
  @MethodSource("everyScheme")
  void parametersThatAreNotFiniteEndTraining(String scheme) {
    TrainingRun.Plan plan =
        TrainingRun.plan(scheme(scheme, 3), 3)
            .rule("sgd", 1e39, 0)
            .sources(EverySchemeTest::blind)
            .steps(5);
    var rejected = assertThrows(NonFiniteParametersException.class, plan::run);
    assertTrue(
        rejected
            .getMessage()
            .matches(
                "(step 1: )?parameters( of rank \\d after the update)?, block softmax.W, entry 0: expected a finite number, found -Infinity; .*"),
        rejected.getMessage());
  }

  /** A source whose gradients are ones, as if a network hid its parameters. */
  private static GradientSource blind(GradientSource source) {
    return (GradientSource)
        Proxy.newProxyInstance(
            GradientSource.class.getClassLoader(),
            new Class<?>[] {GradientSource.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(source, arguments);
              if (method.getName().equals("finish")) {
                FloatBuffer gradient = (FloatBuffer) arguments[0];
                for (int i = 0; i < source.layout().size(); i++) {
                  gradient.put(i, 1);
                }
              }
              return result;
            });
  }

  @Property(tries = 150)
  void noExampleAndNoUpdateIsLostOrCountedTwice(
      @ForAll("schemes") String scheme, @ForAll long seed) {
    Random random = new Random(seed);
    int workers = 2 + random.nextInt(4);
    double latency = random.nextBoolean() ? 0.02 * random.nextDouble() : 0;
    double bandwidth = random.nextBoolean() ? 1e5 : Double.POSITIVE_INFINITY;
    double delay = 0.1 * random.nextDouble();
    TrainingRun run =
        TrainingRun.plan(scheme(scheme, workers), workers)
            .costs(new CostModel(0.001, 0.001, 1e-5, 0, 0, 0, latency, bandwidth))
            .speeds(random.doubles(workers, 0.1, 2).toArray())
            .delays(r -> delay * r.nextDouble())
            .rule("sgd", 0.01, 0)
            .seed(seed)
            .steps(STEPS)
            .run();
    if (scheme.startsWith("coded")) {
      assertEquals((long) STEPS * workers * BATCH, run.accountedResults());
    } else {
      assertTrue(run.accountedExamples() > 0);
    }
    checkSteps(run.steps());
    for (WorkerRecord record : run.workers()) {
      assertTrue(record.staleness() >= 0 && record.masterStep() <= STEPS, record.toString());
      assertTrue(record.numSamples() > 0, record.toString());
    }
  }

  private static void checkSteps(List<StepRecord> steps) {
    assertEquals(STEPS, steps.size());
    long total = 0;
    for (int i = 0; i < STEPS; i++) {
      total += steps.get(i).numSamples();
      assertEquals(i + 1, steps.get(i).step());
      assertEquals(total, steps.get(i).totalSamples());
    }
  }
}
