package io.github.amb.core.sim;

import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Models that count how often their memory would have been used after or while it was freed. */
final class SharedMemory {
  private final AtomicInteger violations = new AtomicInteger();
  private final Runnable computation;

  /**
   * @param computation what each slice of a sum does besides
   */
  SharedMemory(Runnable computation) {
    this.computation = computation;
  }

  int violations() {
    return violations.get();
  }

  /** A model; as one in native memory, except that it does not crash. */
  GradientSource open() {
    SoftmaxRegression model = SoftmaxRegression.blobs(4, 6, 240, 60, Seeds.of(7));
    AtomicInteger users = new AtomicInteger();
    AtomicInteger freed = new AtomicInteger();
    return (GradientSource)
        Proxy.newProxyInstance(
            SharedMemory.class.getClassLoader(),
            new Class<?>[] {GradientSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                violations.addAndGet(users.get() + freed.getAndIncrement());
                return null;
              }
              users.incrementAndGet();
              try {
                if (method.getName().equals("accumulate")) {
                  computation.run();
                }
                return method.invoke(model, arguments);
              } finally {
                users.decrementAndGet();
                violations.addAndGet(freed.get());
              }
            });
  }
}
