package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

class BatchComputationTest {
  private static final long SECOND = 1_000_000_000;

  /** Time passes while something sleeps or is charged. */
  private final Clock clock =
      new Clock() {
        private long now;

        @Override
        public long now() {
          return now;
        }

        @Override
        public void sleep(long nanos) {
          now += nanos;
        }

        @Override
        public void charge(Work work, long amount) {
          now += amount * SECOND;
        }
      };

  /** A computation of two examples, whose delay takes 3 s to draw, as classes are loaded. */
  private BatchComputation computed(double delay) {
    DelayModel delays =
        random -> {
          clock.sleep(3 * SECOND);
          return delay;
        };
    GradientSource source =
        (GradientSource)
            Proxy.newProxyInstance(
                GradientSource.class.getClassLoader(),
                new Class<?>[] {GradientSource.class},
                (proxy, method, given) -> method.getReturnType() == double.class ? 0.0 : null);
    Streams streams = new Streams(Seeds.of(1));
    ExampleOrder order = new ExampleOrder(streams, 10, 0, 1);
    WorkerContext worker =
        new WorkerContext(
            1, clock, source, order, delays, streams, null, null, new StateRegistry(), null);
    BatchComputation computation = new BatchComputation(worker, BatchPolicy.fixed(2));
    FloatBuffer vector = FloatBuffer.allocate(1);
    computation.run(vector, 1, vector, true, Clock.NEVER);
    return computation;
  }

  @Test
  void aTimeWithoutDelayIsNoSleep() {
    assertEquals(0, computed(0).sleepTime());
  }

  @Test
  void sleepIsWhatWasSlept() {
    BatchComputation computation = computed(0.5);

    assertEquals(0.5, computation.sleepTime());
    assertEquals(2.5, computation.computeTime());
  }
}
