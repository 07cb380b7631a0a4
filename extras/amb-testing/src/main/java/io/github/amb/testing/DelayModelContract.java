package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.random.Streams;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a delay model promises: finite delays of 0 or more, which depend on the random numbers
 * alone, and not on earlier delays. The test of a delay model extends this class and names it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DelayModelContract {
  private static final int DRAWS = 10_000;
  private static final Streams STREAMS = new Streams(Long.getLong("amb.test.seed", 0));

  /** Delay models with their arguments, as a user types them, such as {@code pareto:2}. */
  protected abstract List<String> delays();

  @ParameterizedTest
  @MethodSource("delays")
  void itsDelaysAreFiniteAndReproducible(String text) {
    DelayModel one = DelayModels.named(text);
    DelayModel two = DelayModels.named(text);
    double[] delays = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double delay = one.sample(random(draw));
      assertTrue(delay >= 0 && Double.isFinite(delay), () -> text + ": " + delay);
      delays[draw] = delay;
    }
    for (int draw = DRAWS - 1; draw >= 0; draw--) {
      assertEquals(delays[draw], two.sample(random(draw)), "draws in reverse order");
    }
  }

  private static UniformRandomProvider random(int draw) {
    return STREAMS.stream("delay", 1, draw);
  }
}
